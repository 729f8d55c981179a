import type { DialogProps, SlotContribution } from '../contracts/slots.ts';

/** The texts of a question with two answers. The result is true for yes; false, or undefined when dismissed, for no. */
export interface QuestionProps extends DialogProps<boolean> {
  readonly title: string;
  readonly text: string;
  readonly no: string;
  readonly yes: string;
}

/** A dialog that asks the person a question with two answers: `slots.ask(mySlot, question, { title, text, no, yes })`. */
export const question: SlotContribution<QuestionProps> = { load: () => import('./question-part.tsx') };
