import DiffMatchPatch from 'diff-match-patch';

/** The differences of texts, and the search for a part of one in another that has changed meanwhile (S-161). */
export const textDiff = new DiffMatchPatch();
/** Time after which no shorter difference is looked for, in s (S-161). */
textDiff.Diff_Timeout = 1;
/** Changes that are less than this many UTF-16 units apart may be one (S-161). */
textDiff.Diff_EditCost = 4;
/** Share of a text that may differ where it is found; its distance counts, too (S-161). */
textDiff.Match_Threshold = 0.5;
/** Distance in UTF-16 units that counts as if all of the text differed (S-161). */
textDiff.Match_Distance = 1000;
