/**
 * Longest wait of a test for something that must happen, in ms. Waits end once it has happened, so a long limit costs time only where a test
 * fails. Machines that take three times as long as usual, with several test files at a time, have to keep within it.
 */
export const PATIENCE_MS = 90_000;
/** Time limit of a test or hook that states none, in ms: it may wait several times. */
export const TEST_LIMIT_MS = 4 * PATIENCE_MS;
