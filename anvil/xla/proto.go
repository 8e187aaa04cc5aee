package xla

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Compile options are passed to plugins as a protocol buffer message, XLA's CompileOptionsProto. This
// file encodes the fields that are used. An encoded field consists of the varint number<<3 | wire
// type, followed by a varint, by 8 bytes, or by a length and bytes.

// Wire types of the protocol buffer encoding.
const (
	wireVarint = 0
	wireFixed8 = 1 // 8 bytes
	wireLength = 2
)

// Field numbers of xla/pjrt/proto/compile_options.proto and xla_data.proto.
const (
	fieldBuildOptions = 3 // CompileOptionsProto
	fieldOverrides    = 7

	fieldDeviceOrdinal    = 1 // ExecutableBuildOptionsProto
	fieldReplicas         = 4
	fieldPartitions       = 5
	fieldDeviceAssignment = 9

	fieldReplicaCount     = 1 // DeviceAssignmentProto
	fieldComputationCount = 2
	fieldComputation      = 3
	fieldReplicaDevices   = 1 // DeviceAssignmentProto.ComputationDevice

	fieldKey   = 1 // map entry
	fieldValue = 2

	fieldString = 1 // OptionOverrideProto
	fieldBool   = 2
	fieldInt    = 3
	fieldDouble = 4
)

// A message is an encoded protocol buffer message. Its methods return it with one more field.
type message []byte

// varint appends a field with an integer, an enum or a bool.
func (m message) varint(field int, v uint64) message {
	m = binary.AppendUvarint(m, uint64(field<<3|wireVarint))
	return binary.AppendUvarint(m, v)
}

// bytes appends a field with a string, bytes, a message or packed integers.
func (m message) bytes(field int, v []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|wireLength))
	m = binary.AppendUvarint(m, uint64(len(v)))
	return append(m, v...)
}

// double appends a field with a float64.
func (m message) double(field int, v float64) message {
	m = binary.AppendUvarint(m, uint64(field<<3|wireFixed8))
	return binary.LittleEndian.AppendUint64(m, math.Float64bits(v))
}

// compileOptions encodes a CompileOptionsProto for one replica and one partition on the given
// device, with overrides. The result is never empty: plugins abort if it is.
func compileOptions(device int, overrides map[string]any) ([]byte, error) {
	computation := message{}.bytes(fieldReplicaDevices, binary.AppendUvarint(nil, uint64(device)))
	assignment := message{}.varint(fieldReplicaCount, 1).varint(fieldComputationCount, 1).
		bytes(fieldComputation, computation)
	build := message{}.varint(fieldDeviceOrdinal, uint64(device)).varint(fieldReplicas, 1).varint(fieldPartitions, 1).
		bytes(fieldDeviceAssignment, assignment)
	options := message{}.bytes(fieldBuildOptions, build)
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		value, err := override(overrides[name])
		if err != nil {
			return nil, fmt.Errorf("override %s: %w", name, err)
		}
		options = options.bytes(fieldOverrides, message{}.bytes(fieldKey, []byte(name)).bytes(fieldValue, value))
	}
	return options, nil
}

// override encodes v as an OptionOverrideProto.
func override(v any) (message, error) {
	switch v := v.(type) {
	case string:
		return message{}.bytes(fieldString, []byte(v)), nil
	case bool:
		if v {
			return message{}.varint(fieldBool, 1), nil
		}
		return message{}.varint(fieldBool, 0), nil
	case int:
		return message{}.varint(fieldInt, uint64(int64(v))), nil
	case float64:
		return message{}.double(fieldDouble, v), nil
	}
	return nil, fmt.Errorf("unsupported type %T; want string, bool, int or float64", v)
}
