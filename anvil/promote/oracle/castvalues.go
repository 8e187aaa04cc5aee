package oracle

import "github.com/goanvil/notebook/anvil"

var castLists = lists{"rows": castRow}

// castRow answers what a value is after a cast, in each system.
func castRow(r Row) Row {
	x, to := measured(r["v"], dtypeOf(r.text("src"))), dtypeOf(r.text("dst"))
	answer := eachSystem("cast", func(_ string, l *anvil.Lib) Row {
		return answerOf(first, func() anvil.Tensor { return l.AsType(x, to) })
	}).each(func(cell Row) any {
		if v, ok := cell["v"]; ok {
			return v
		}
		return cell
	})
	answer["agree"] = agree(answer, func(any) bool { return true })
	return answer
}

// each returns the row with f of each cell.
func (r Row) each(f func(Row) any) Row {
	for field, cell := range r {
		r[field] = f(cell.(Row))
	}
	return r
}
