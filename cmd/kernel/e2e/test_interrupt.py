"""Interrupts, by message and by signal, of Go loops and of XLA programs."""

import os
import signal

import pytest
from conftest import PATIENCE
from jupyter_client.manager import start_new_kernel

SPIN = """
fmt.Println("going")
for {
}
"""
LONG = """
m := nv.Full(nv.Shape{1500, 1500}, 1e-3)
m.Wait()
before := nv.Stats().Launches
go func() { // prints once the program has been launched
	for nv.Stats().Launches == before {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("going")
}()
endless := nv.While(m, func(m nv.Tensor) nv.Tensor { return m[0, 0] < 2 },
	func(m nv.Tensor) nv.Tensor { return (m.MatMul(m) + m) / 2 })
endless[0, 0].Float()
"""


@pytest.fixture
def kernel():
    manager, client = start_new_kernel(kernel_name="goanvil", startup_timeout=PATIENCE)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client, code):
    """The reply to code and the messages published for it."""
    published = []
    reply = client.execute_interactive(code, timeout=PATIENCE, output_hook=published.append)
    return reply["content"], published


def texts(published):
    return [m["content"]["data"]["text/plain"] for m in published if m["msg_type"] == "execute_result"]


def interrupt_by_message(manager):
    manager.interrupt_kernel()


def interrupt_by_signal(manager):
    os.kill(manager.provisioner.pid, signal.SIGINT)


@pytest.mark.parametrize("cell", [SPIN, LONG], ids=["go", "xla"])
@pytest.mark.parametrize("interrupt", [interrupt_by_message, interrupt_by_signal])
def test_interrupt_keeps_everything(kernel, cell, interrupt):
    manager, client = kernel
    run(client, "kept := 41\nt := nv.Scalar(20)")
    request = client.execute(cell)
    while True:  # until the cell has printed, and so is running
        message = client.get_iopub_msg(timeout=PATIENCE)
        if message["msg_type"] == "stream" and message["parent_header"]["msg_id"] == request:
            break
    interrupt(manager)
    reply = client.get_shell_msg(timeout=PATIENCE)
    assert (reply["content"]["status"], reply["content"]["ename"]) == ("error", "Interrupt"), reply["content"]
    _, published = run(client, "1 + 1")
    assert texts(published) == ["2"]
    _, published = run(client, "kept + 1")
    assert texts(published) == ["42"]
    # The device may still be busy with the interrupted program: the next cell then
    # prints what it waits for, and can be interrupted itself.
    request = client.execute("t + 1")
    waiting = False
    while True:
        message = client.get_iopub_msg(timeout=PATIENCE)
        if message["parent_header"].get("msg_id") != request:
            continue
        if message["msg_type"] == "execute_result":
            assert "21" in message["content"]["data"]["text/plain"]
            break
        if message["msg_type"] == "stream" and "wait" in message["content"]["text"]:
            waiting = True
            manager.interrupt_kernel()
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            assert waiting
            break
