/** Cells that may run at once unless `--max-cells` says otherwise. */
export const MAX_CELLS = 50;
