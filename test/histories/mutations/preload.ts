/** With `--import`: the process loads one mutation of the table, the row that `MUTATION` names. */
import { live } from './mutant.ts';
import { mutations } from './table.ts';

const mutation = mutations[Number(process.env.MUTATION)];
if (mutation === undefined) throw new Error(`MUTATION=${process.env.MUTATION} is no row of the table`);
live(mutation);
