import fc from 'fast-check';

/** Seed of property tests that name none: a run of all checks draws the same cases each time, the long one others each time. */
const SEED = 1;

if (process.env['VITRINE_LONG'] === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
