package anvil

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/npy"
	"github.com/goanvil/notebook/anvil/safetensors"
	"github.com/goanvil/notebook/anvil/shape"
)

// ReadNPY returns the array in a NumPy .npy file, as a tensor of known dtype. A dtype option gives the dtype
// of elements whose dtype NumPy cannot name:
//
//	nv.ReadNPY("weights.npy", nv.F8E4M3FN) // written by np.save of ml_dtypes.float8_e4m3fn
//
// Without the option, such elements are read as bf16 if they have two bytes, and are an error if they have one byte.
func (l *Lib) ReadNPY(path string, opts ...Option) (x Tensor, err error) {
	f, err := os.Open(path)
	if err != nil {
		return x, fileError("ReadNPY", path, err)
	}
	defer f.Close()
	o := apply("ReadNPY", opts)
	x, err = l.npy(bufio.NewReader(f), o)
	if err == nil && o.DType != dtype.Invalid && o.DType != x.DType() {
		err = fmt.Errorf("the file has dtype %s; leave out the option and convert the tensor with AsType(%s)",
			x.DType(), constantName(o.DType))
	}
	return x, fileError("ReadNPY", path, err)
}

// constantName returns the name of the constant for d in cells, such as nv.U8 for ui8.
func constantName(d dtype.DType) string {
	return "nv." + strings.ToUpper(strings.Replace(d.String(), "ui", "u", 1))
}

// npy returns the array in the NumPy .npy format that r reads.
func (l *Lib) npy(r io.Reader, o dtype.Options) (x Tensor, err error) {
	ty, data, err := npy.Read(r, o.DType)
	if err != nil {
		return x, err
	}
	return l.fromHost(ty, data, false, o)
}

// WriteNPY writes x, a tensor or an argument of New, to a NumPy .npy file. A dtype that
// NumPy cannot name is written as ml_dtypes does, and readers must give the dtype:
// nv.ReadNPY(path, nv.I4), or in Python np.load(path).view(ml_dtypes.int4).
// jax.numpy.load recognizes bf16. An existing file is replaced only after everything has
// been written.
func (l *Lib) WriteNPY(path string, x any) error {
	return replaceFile("WriteNPY", path, func(w io.Writer) error {
		var t Tensor
		if err := Try(func() { t = l.New(x) }); err != nil {
			return err
		}
		return writeNPY(w, t)
	})
}

// WriteNPY is the method form of the function WriteNPY.
func (x Tensor) WriteNPY(path string) error { return x.must("WriteNPY").ctx.WriteNPY(path, x) }

// writeNPY writes x in the NumPy .npy format.
func writeNPY(w io.Writer, x Tensor) error {
	var data []byte
	err := Try(func() { data = x.host("WriteNPY") })
	if err != nil {
		return err
	}
	return npy.Write(w, x.t.arr.Type(), data)
}

// ReadNPZ returns the arrays in a NumPy .npz file by name. Arrays whose elements have no
// dtype, such as texts, are skipped and logged; a file with only such arrays is an error.
// A dtype option works as in ReadNPY.
func (l *Lib) ReadNPZ(path string, opts ...Option) (map[string]Tensor, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fileError("ReadNPZ", path, err)
	}
	defer archive.Close()
	o := apply("ReadNPZ", opts)
	arrays := map[string]Tensor{}
	var skipped []error
	used := o.DType == dtype.Invalid // there is no dtype option, or an array has the dtype of the option
	for _, member := range archive.File {
		name, ok := strings.CutSuffix(member.Name, ".npy")
		if !ok {
			continue
		}
		x, err := l.member(member, o)
		if err != nil {
			err = fmt.Errorf("array %q: %w", name, err)
		}
		var noDType *npy.NoDTypeError
		switch {
		case errors.As(err, &noDType):
			skipped = append(skipped, err)
		case err != nil:
			return nil, fileError("ReadNPZ", path, err)
		default:
			arrays[name] = x
			used = used || x.DType() == o.DType
		}
	}
	if len(skipped) > 0 && len(arrays) == 0 {
		return nil, fileError("ReadNPZ", path, skipped[0])
	}
	if !used {
		err := fmt.Errorf("no array has dtype %s; "+
			"leave out the dtype option and convert the arrays with AsType", o.DType)
		return nil, fileError("ReadNPZ", path, err)
	}
	for _, err := range skipped {
		l.ctx.log(fmt.Sprintf("ReadNPZ(%q) skips %v", path, err))
	}
	return arrays, nil
}

// member returns the array in a member of an archive.
func (l *Lib) member(member *zip.File, o dtype.Options) (x Tensor, err error) {
	r, err := member.Open()
	if err != nil {
		return x, err
	}
	defer r.Close()
	return l.npy(r, o)
}

// WriteNPZ writes named tensors to a compressed NumPy .npz file. An existing file is
// replaced only after everything has been written.
func (l *Lib) WriteNPZ(path string, arrays map[string]Tensor) error {
	return replaceFile("WriteNPZ", path, func(w io.Writer) error {
		archive := zip.NewWriter(w)
		for _, name := range slices.Sorted(maps.Keys(arrays)) {
			member, err := archive.Create(name + ".npy")
			if err != nil {
				return err
			}
			if err := writeNPY(member, arrays[name]); err != nil {
				return fmt.Errorf("array %q: %w", name, err)
			}
		}
		return archive.Close()
	})
}

// ReadSafetensors returns the tensors in a safetensors file by name. Tensors that were
// ambiguous when WriteSafetensors wrote them are ambiguous again.
func (l *Lib) ReadSafetensors(path string) (map[string]Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fileError("ReadSafetensors", path, err)
	}
	defer f.Close()
	stored, err := safetensors.Read(bufio.NewReader(f))
	if err != nil {
		return nil, fileError("ReadSafetensors", path, err)
	}
	tensors := map[string]Tensor{}
	for name, t := range stored {
		if tensors[name], err = l.fromHost(t.Type, t.Data, t.Ambiguous, dtype.Options{}); err != nil {
			return nil, fileError("ReadSafetensors", path, err)
		}
	}
	return tensors, nil
}

// WriteSafetensors writes named tensors of any dtype to a safetensors file. A dtype that
// the format cannot name is stored as a dtype that it can name (i4 as I8). The metadata of
// the file record the dtypes, and which tensors are ambiguous. An existing file is replaced
// only after everything has been written.
func (l *Lib) WriteSafetensors(path string, tensors map[string]Tensor) error {
	stored := map[string]safetensors.Tensor{}
	for name, x := range tensors {
		t := safetensors.Tensor{}
		err := Try(func() {
			t.Data = x.host("WriteSafetensors")
			t.Type, t.Ambiguous = x.t.arr.Type(), x.Ambiguous()
		})
		if err != nil {
			return fileError("WriteSafetensors", path, err)
		}
		stored[name] = t
	}
	return replaceFile("WriteSafetensors", path, func(w io.Writer) error { return safetensors.Write(w, stored) })
}

// fromHost returns data, elements in host form (see array.Array), as a tensor. It may change data.
func (l *Lib) fromHost(ty shape.Type, data []byte, ambiguous bool, o dtype.Options) (x Tensor, err error) {
	if ty.DType == dtype.I1 {
		for i, b := range data {
			data[i] = min(b, 1) // a file may hold other bytes for true
		}
	}
	err = Try(func() {
		c := l.call("New")
		x = c.creationResult(c.host(ty, data, ""), ambiguous, o)
	})
	return x, err
}

// replaceFile writes a temporary file and renames it to path, so that path never holds part of a file. If path is a
// link, the file that it leads to is replaced. A device or a pipe at path is written to directly.
func replaceFile(op, path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = writeAll(f, write)
		}
		return fileError(op, path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return fileError(op, path, err)
	}
	defer os.Remove(f.Name()) // does nothing after the rename
	err = writeAll(f, write)
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return fileError(op, path, err)
}

// writeAll calls write with a buffered writer for f, and closes f. It returns the first error.
func writeAll(f *os.File, write func(io.Writer) error) error {
	w := bufio.NewWriter(f)
	err := write(w)
	for _, step := range []func() error{w.Flush, f.Close} {
		if e := step(); err == nil {
			err = e
		}
	}
	return err
}

// fileError returns err, if not nil, as an *Error of an operation on a file.
func fileError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := err.(*os.PathError); ok {
		err = e.Err
	}
	return &Error{Op: op, Operands: fmt.Sprintf("%q", path), Reason: err.Error(), Err: err}
}
