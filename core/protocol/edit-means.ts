import * as v from 'valibot';

/**
 * Means of the person's browser by which a control gets a whole value: the picker of a date or time, a slider, a select list, a suggestion
 * of the page's own (`list`). All else is keys, text and pasted content.
 */
export const editMeansSchema = v.picklist(['picker', 'slider', 'select', 'suggestion']);
export type EditMeans = v.InferOutput<typeof editMeansSchema>;
