"""Jupyter's own conformance suite, every test of it enabled."""

import jupyter_kernel_test as jkt
from conftest import PATIENCE
from jupyter_client.manager import start_new_kernel

jkt.TIMEOUT = PATIENCE


class TestGoanvil(jkt.KernelTests):
    kernel_name = "goanvil"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'import "os"\nfmt.Fprintln(os.Stderr, "on the error stream")'
    completion_samples = [
        {"text": "nv.Logist", "matches": {"Logistic"}},
        {"text": "fmt.Sprintl", "matches": {"Sprintln"}},
    ]
    complete_code_samples = ["1 + 1", "x := 1\nx", "func f() int {\n\treturn 1\n}"]
    incomplete_code_samples = ["func f() int {", "nv.Scalar(", "x := []int{1,", "`raw"]
    invalid_code_samples = ["x := )", "func 3()"]
    code_page_something = "nv.Scalar?"
    code_generate_error = 'panic("on purpose")'
    code_execute_result = [
        {"code": "6 * 7", "result": "42"},
        {"code": "nv.Scalar(1.0)", "result": "AnvilTensor\n 1\n[ CPUf32?{} ]"},
        {"code": "nv.Scalar(2, nv.I16)", "result": "AnvilTensor\n 2\n[ CPUi16{} ]"},
    ]
    code_display_data = [
        {"code": "display.Show(nv.Scalar(1.0))", "mime": "text/html"},
        {"code": "display.Show(nv.Scalar(1.0))", "mime": "text/plain"},
    ]
    code_history_pattern = "6 ?*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "nv.Scalar"
    code_clear_output = "display.Clear(false)"

    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name=cls.kernel_name, startup_timeout=PATIENCE)
        get = jkt.ensure_sync(cls.kc.iopub_channel.get_msg)
        # The suite waits only a tenth of a second for a message.
        cls.kc.iopub_channel.get_msg = lambda timeout: get(timeout=PATIENCE)

    def flush_channels(self):
        """Reads all messages that were sent before now: those up to the answer to a new request."""
        request = self.kc.kernel_info()
        while self.kc.get_shell_msg(timeout=PATIENCE)["parent_header"]["msg_id"] != request:
            pass
        while True:
            message = self.kc.iopub_channel.get_msg(timeout=PATIENCE)
            state = message["content"].get("execution_state")
            if message["parent_header"].get("msg_id") == request and state == "idle":
                return

    def execute_helper(self, code, timeout=PATIENCE, **options):
        return super().execute_helper(code, timeout, **options)

    def history_helper(self, execute_first, timeout=PATIENCE, **options):
        return super().history_helper(execute_first, timeout, **options)

    def test_display_update(self):
        self.flush_channels()
        _, outputs = self.execute_helper('h := display.Show(1)\nh.Update(2)')
        kinds = [m["msg_type"] for m in outputs]
        assert kinds == ["display_data", "update_display_data"], kinds
        first, second = (m["content"]["transient"]["display_id"] for m in outputs)
        assert first == second


class TestWelcome(jkt.IopubWelcomeTests):
    kernel_name = "goanvil"
    support_iopub_welcome = True
