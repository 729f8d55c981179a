// One file for all checks of the whole product's types: they share one program, which takes seconds to make.
import './settings.cases.ts';
import './two-sides.cases.ts';
