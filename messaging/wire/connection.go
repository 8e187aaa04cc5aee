package wire

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
)

// ConnectionInfo is the content of a connection file: the addresses of the five
// sockets and how messages are signed.
type ConnectionInfo struct {
	Transport       string `json:"transport"` // "tcp" or "ipc"
	IP              string `json:"ip"`        // with ipc, a path prefix; with tcp, an address; "" is 127.0.0.1
	ShellPort       int    `json:"shell_port"`
	IOPubPort       int    `json:"iopub_port"`
	StdinPort       int    `json:"stdin_port"`
	ControlPort     int    `json:"control_port"`
	HBPort          int    `json:"hb_port"`
	Key             string `json:"key"`
	SignatureScheme string `json:"signature_scheme"`
}

// ReadConnectionFile returns the content of the connection file at path.
func ReadConnectionFile(path string) (ConnectionInfo, error) {
	info := ConnectionInfo{Transport: "tcp", SignatureScheme: "hmac-sha256"}
	data, err := os.ReadFile(path)
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil {
		return info, fmt.Errorf("connection file %s: %w", path, err)
	}
	return info, nil
}

// WriteConnectionFile writes info to path. Only its owner can read the file, since it contains the key.
func WriteConnectionFile(path string, info ConnectionInfo) error {
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}

// Address returns the network and address, for package net, of the socket with
// the given port.
func (c ConnectionInfo) Address(port int) (network, address string, err error) {
	switch c.Transport {
	case "tcp", "":
		ip := c.IP
		if ip == "" {
			ip = "127.0.0.1" // package net would listen on all interfaces
		}
		return "tcp", net.JoinHostPort(ip, strconv.Itoa(port)), nil
	case "ipc":
		return "unix", c.IP + "-" + strconv.Itoa(port), nil
	}
	return "", "", fmt.Errorf("connection: unknown transport %q; want tcp or ipc", c.Transport)
}
