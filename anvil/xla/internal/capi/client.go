package capi

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Initialize initializes the plugin. It must be called once, before all other calls.
func (t *Table) Initialize() error { return t.CallPluginInitialize(&PluginInitializeArgs{}) }

// Attributes returns the plugin's attributes by name. See NamedValue.value for the types of the values.
func (t *Table) Attributes() (map[string]any, error) {
	var a PluginAttributesArgs
	if err := t.CallPluginAttributes(&a); err != nil {
		return nil, err
	}
	return namedValues(a.Attributes, a.NumAttributes), nil
}

// namedValues returns by name the n values of the C array that begins at first.
func namedValues(first *NamedValue, n uint64) map[string]any {
	m := map[string]any{}
	for _, v := range unsafe.Slice(first, int(n)) {
		m[goString(v.Name, v.NameSize)] = v.value()
	}
	return m
}

// value returns the value, which C stores in a union: a string, int64, []int64, float32 or bool, as v.Type says. It
// returns nil for another type.
func (v *NamedValue) value() any {
	union := unsafe.Pointer(&v.StringValue)
	switch v.Type {
	case NamedValueKString:
		return goString(*(*unsafe.Pointer)(union), v.ValueSize)
	case NamedValueKInt64:
		return *(*int64)(union)
	case NamedValueKInt64List:
		return append([]int64(nil), unsafe.Slice(*(**int64)(union), int(v.ValueSize))...)
	case NamedValueKFloat:
		return *(*float32)(union)
	case NamedValueKBool:
		return *(*bool)(union)
	}
	return nil
}

// An Option is a named value for CreateClient. The value is an int64, []int64, bool, float32 or string.
type Option struct {
	Name  string
	Value any
}

// CreateClient makes a client.
func (t *Table) CreateClient(options []Option) (*Client, error) {
	var pin runtime.Pinner // Go stores pointers in a union as integers, which do not keep memory alive
	defer pin.Unpin()
	values := make([]NamedValue, len(options))
	for i, o := range options {
		if err := values[i].set(o, &pin); err != nil {
			return nil, err
		}
	}
	a := ClientCreateArgs{CreateOptions: unsafe.SliceData(values), NumOptions: uint64(len(values))}
	err := t.CallClientCreate(&a)
	runtime.KeepAlive(options)
	return a.Client, err
}

// set stores an option in v. It pins the memory of a string or slice.
func (v *NamedValue) set(o Option, pin *runtime.Pinner) error {
	v.StructSize = uint64(unsafe.Sizeof(*v))
	v.Name, v.NameSize = unsafe.Pointer(unsafe.StringData(o.Name)), uint64(len(o.Name))
	v.ValueSize = 1
	union := unsafe.Pointer(&v.StringValue)
	switch x := o.Value.(type) {
	case int64:
		v.Type, *(*int64)(union) = NamedValueKInt64, x
	case bool:
		v.Type, *(*bool)(union) = NamedValueKBool, x
	case float32:
		v.Type, *(*float32)(union) = NamedValueKFloat, x
	case string:
		v.setPointer(NamedValueKString, unsafe.Pointer(unsafe.StringData(x)), len(x), pin)
	case []int64:
		v.setPointer(NamedValueKInt64List, unsafe.Pointer(unsafe.SliceData(x)), len(x), pin)
	default:
		return fmt.Errorf("option %s: unsupported type %T", o.Name, o.Value)
	}
	return nil
}

// setPointer sets the value of v to the n elements at p, a value of type kind. It pins them.
func (v *NamedValue) setPointer(kind int32, p unsafe.Pointer, n int, pin *runtime.Pinner) {
	if p != nil && n > 0 {
		pin.Pin(p)
	}
	v.Type, v.ValueSize = kind, uint64(n)
	*(*uintptr)(unsafe.Pointer(&v.StringValue)) = uintptr(p)
}

// DestroyClient frees a client that has no buffers, executables or running programs.
func (t *Table) DestroyClient(c *Client) error {
	return t.CallClientDestroy(&ClientDestroyArgs{Client: c})
}

// PlatformName returns "cpu", "cuda", ...
func (t *Table) PlatformName(c *Client) (string, error) {
	a := ClientPlatformNameArgs{Client: c}
	err := t.CallClientPlatformName(&a)
	return goString(a.PlatformName, a.PlatformNameSize), err
}

// Devices returns the devices that this process can run programs on.
func (t *Table) Devices(c *Client) ([]*Device, error) {
	a := ClientAddressableDevicesArgs{Client: c}
	if err := t.CallClientAddressableDevices(&a); err != nil {
		return nil, err
	}
	return handles[Device](unsafe.Pointer(a.AddressableDevices), a.NumAddressableDevices), nil
}

// A DeviceInfo describes a device.
type DeviceInfo struct {
	ID         int // the number of the device in device assignments
	Kind       string
	MemoryKind string // of its default memory; "" if the plugin does not say
}

// DeviceInfo returns the description of d.
func (t *Table) DeviceInfo(d *Device) (DeviceInfo, error) {
	desc := DeviceGetDescriptionArgs{Device: d}
	if err := t.CallDeviceGetDescription(&desc); err != nil {
		return DeviceInfo{}, err
	}
	id := DeviceDescriptionIdArgs{DeviceDescription: desc.DeviceDescription}
	if err := t.CallDeviceDescriptionId(&id); err != nil {
		return DeviceInfo{}, err
	}
	kind := DeviceDescriptionKindArgs{DeviceDescription: desc.DeviceDescription}
	if err := t.CallDeviceDescriptionKind(&kind); err != nil {
		return DeviceInfo{}, err
	}
	name := goString(kind.DeviceKind, kind.DeviceKindSize)
	return DeviceInfo{ID: int(id.Id), Kind: name, MemoryKind: t.defaultMemory(d)}, nil
}

// defaultMemory returns the kind of d's default memory, or "" if the plugin does not say.
func (t *Table) defaultMemory(d *Device) string {
	m := DeviceDefaultMemoryArgs{Device: d}
	if t.CallDeviceDefaultMemory(&m) != nil {
		return ""
	}
	k := MemoryKindArgs{Memory: m.Memory}
	if t.CallMemoryKind(&k) != nil {
		return ""
	}
	return goString(k.Kind, k.KindSize)
}

// MemoryStats returns the bytes in use on d and the bytes that d has. limit is 0 if it is not known.
func (t *Table) MemoryStats(d *Device) (inUse, limit int64, err error) {
	a := DeviceMemoryStatsArgs{Device: d}
	if err := t.CallDeviceMemoryStats(&a); err != nil {
		return 0, 0, err
	}
	if a.BytesLimitIsSet {
		limit = a.BytesLimit
	}
	return a.BytesInUse, limit, nil
}
