package oracle

import "github.com/goanvil/notebook/anvil"

var castLists = lists{"rows": castRow}

// castRow answers what a value is after a cast, in each system.
func castRow(r Row) Row {
	from, to := dtypeOf(r.text("src")), dtypeOf(r.text("dst"))
	answer := eachSystem("cast", func(_ string, l laboratory) Row {
		return answerOf(first, func() anvil.Tensor { return l.lib().AsType(l.measured(from, r["v"]), to) })
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
