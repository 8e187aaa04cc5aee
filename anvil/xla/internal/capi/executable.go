package capi

import "unsafe"

// Compile compiles a program in the format "mlir" (text or bytecode). options is a serialized
// CompileOptionsProto. Neither may be empty.
func (t *Table) Compile(c *Client, program, options []byte) (*LoadedExecutable, error) {
	const format = "mlir"
	// Plugins ignore CodeSize for text and read up to a zero byte. So pass a copy with a zero byte after the program.
	program = append(program[:len(program):len(program)], 0)[:len(program)]
	p := Program{
		Code: dataPointer(program), CodeSize: uint64(len(program)),
		Format: unsafe.Pointer(unsafe.StringData(format)), FormatSize: uint64(len(format)),
	}
	p.StructSize = uint64(unsafe.Sizeof(p))
	a := ClientCompileArgs{Client: c, Program: &p,
		CompileOptions: dataPointer(options), CompileOptionsSize: uint64(len(options))}
	err := t.CallClientCompile(&a)
	return a.Executable, err
}

// Deserialize loads data that Serialize returned.
func (t *Table) Deserialize(c *Client, data []byte) (*LoadedExecutable, error) {
	a := ExecutableDeserializeAndLoadArgs{Client: c,
		SerializedExecutable: dataPointer(data), SerializedExecutableSize: uint64(len(data))}
	err := t.CallExecutableDeserializeAndLoad(&a)
	return a.LoadedExecutable, err
}

// DestroyExecutable frees e. A program that is running continues.
func (t *Table) DestroyExecutable(e *LoadedExecutable) error {
	return t.CallLoadedExecutableDestroy(&LoadedExecutableDestroyArgs{Executable: e})
}

// withExecutable calls f with the Executable of e. The Executable is valid until f returns.
func (t *Table) withExecutable(e *LoadedExecutable, f func(*Executable) error) error {
	get := LoadedExecutableGetExecutableArgs{LoadedExecutable: e}
	if err := t.CallLoadedExecutableGetExecutable(&get); err != nil {
		return err
	}
	err := f(get.Executable)
	if destroyErr := t.CallExecutableDestroy(&ExecutableDestroyArgs{Executable: get.Executable}); err == nil {
		err = destroyErr
	}
	return err
}

// Serialize returns e in the plugin's own form.
func (t *Table) Serialize(e *LoadedExecutable) (data []byte, err error) {
	err = t.withExecutable(e, func(x *Executable) error {
		a := ExecutableSerializeArgs{Executable: x}
		if err := t.CallExecutableSerialize(&a); err != nil {
			return err
		}
		data = append([]byte(nil), unsafe.Slice((*byte)(a.SerializedBytes), int(a.SerializedBytesSize))...)
		invoke(uintptr(a.SerializedExecutableDeleter), unsafe.Pointer(a.SerializedExecutable))
		return nil
	})
	return data, err
}

// An Output is the element type and the dimensions of one result.
type Output struct {
	ElementType int32
	Dims        []int64
}

// Outputs returns the results of e.
func (t *Table) Outputs(e *LoadedExecutable) (outputs []Output, err error) {
	err = t.withExecutable(e, func(x *Executable) error {
		types := ExecutableOutputElementTypesArgs{Executable: x}
		if err := t.CallExecutableOutputElementTypes(&types); err != nil {
			return err
		}
		dims := ExecutableOutputDimensionsArgs{Executable: x}
		if err := t.CallExecutableOutputDimensions(&dims); err != nil {
			return err
		}
		outputs = joinOutputs(&types, &dims)
		return nil
	})
	return outputs, err
}

// joinOutputs returns the types and the dimensions of the results. In C, one array has the dimensions
// of all results.
func joinOutputs(types *ExecutableOutputElementTypesArgs, dims *ExecutableOutputDimensionsArgs) []Output {
	n := int(types.NumOutputTypes)
	elements := unsafe.Slice((*int32)(types.OutputTypes), n)
	ranks := unsafe.Slice((*uint64)(dims.DimSizes), int(dims.NumOutputs))
	next := dims.Dims
	outputs := make([]Output, n)
	for i := range outputs {
		rank := int(ranks[i])
		outputs[i] = Output{elements[i], append([]int64(nil), unsafe.Slice((*int64)(next), rank)...)}
		next = unsafe.Add(next, 8*rank)
	}
	return outputs
}

// TempBytes returns the bytes that e needs on its device in addition to arguments and results.
func (t *Table) TempBytes(e *LoadedExecutable) (n int64, err error) {
	err = t.withExecutable(e, func(x *Executable) error {
		a := ExecutableGetCompiledMemoryStatsArgs{Executable: x}
		err := t.CallExecutableGetCompiledMemoryStats(&a)
		n = a.TempSizeInBytes
		return err
	})
	return n, err
}
