import { dom } from '../../../core/page.ts';
import { MOST_UNITS } from '../protocol.ts';
import type { Problem } from '../protocol.ts';

/** Elements that take part in the validation of their form. */
export type Control =
  | HTMLInputElement
  | HTMLTextAreaElement
  | HTMLSelectElement
  | HTMLButtonElement
  | HTMLOutputElement
  | HTMLObjectElement
  | HTMLFieldSetElement;

interface Found {
  readonly problem: Problem;
  readonly limit: string;
  readonly words: string;
}

const MISSING: Readonly<Record<string, Problem>> = {
  checkbox: 'missing-check',
  radio: 'missing-choice',
  file: 'missing-file',
  'select-one': 'missing-option',
  'select-multiple': 'missing-option',
};

/** The first that is wrong, in the order in which Chromium names it: the page's own message, then what is no value, then what is missing, then the rest. */
export function problemOf(control: Control): Found | undefined {
  const { validity, type } = control;
  const limit = (name: string): string => (dom.attribute(control, name) ?? '').slice(0, 100);
  const found = (problem: Problem, bound = '', words = ''): Found => ({
    problem,
    limit: bound,
    words: words.slice(0, MOST_UNITS),
  });
  if (validity.valid) return undefined;
  if (validity.customError) return found('custom', '', control.validationMessage);
  if (validity.badInput) return found('bad'); // of what is typed the value is empty
  if (validity.valueMissing) return found(MISSING[type] ?? 'missing');
  if (validity.typeMismatch) return found(type === 'email' ? 'email' : 'url');
  if (validity.patternMismatch) return found('pattern', '', dom.attribute(control, 'title') ?? '');
  if (validity.tooLong) return found('long', limit('maxlength'));
  if (validity.tooShort) return found('short', limit('minlength'));
  if (validity.rangeUnderflow) return found('low', limit('min'));
  if (validity.rangeOverflow) return found('high', limit('max'));
  return found('step');
}
