import type { ReactElement, ReactNode } from 'react';
import { Button } from './button.tsx';
import type { ButtonKind } from './button.tsx';
import { ScrollBody } from './scroll-body.tsx';

/** A button of a question. */
export interface Answer<R> {
  readonly label: string;
  /** Result of the dialog; of what fields hold at that moment, if it is a function. `undefined` keeps it open. */
  readonly value: R | (() => R | undefined);
  readonly kind?: ButtonKind | undefined;
  readonly disabled?: boolean | undefined;
  /** Has the focus at first: the answer that does no harm. Without one, a field has it, or the first answer. */
  readonly isDefault?: boolean | undefined;
}

interface AskProps<R> {
  /** One line: who asks, or what about. It names the dialog. */
  readonly title: string;
  /** Words of ours, which describe the dialog. */
  readonly text?: string | undefined;
  /** Words of the page. They are shown as they are, set apart from ours, in their own direction. */
  readonly quote?: string | undefined;
  /** Fields and other parts of the kit. Enter in a field gives the first answer of the kind `primary` or `danger`. */
  readonly children?: ReactNode;
  /** In order; the last is the one that goes on. */
  readonly answers: readonly Answer<R>[];
  /** Result of Escape; default `undefined`. */
  readonly dismissed?: R | undefined;
  readonly done: (outcome: R) => void;
}

/**
 * The content of a dialog: a question with any number of answers, and a form where it has fields. Title and answers stay in sight while
 * the rest scrolls. Escape ends it with `undefined`.
 */
export function Question<R>({ title, text, quote, children, answers, dismissed, done }: AskProps<R>): ReactElement {
  const hasFields = children !== undefined && children !== null && children !== false;
  const focused = answers.find(({ isDefault }) => isDefault) ?? (hasFields ? undefined : answers[0]);
  const submitting = answers.find(({ kind }) => kind === 'primary' || kind === 'danger');
  const give = ({ value }: Answer<R>): void => {
    const outcome = typeof value === 'function' ? (value as () => R | undefined)() : value; // a function is never an outcome
    if (outcome !== undefined) done(outcome);
  };
  return (
    <form
      className="vitrine-question"
      autoComplete="off"
      onKeyDown={(event) => {
        if (dismissed === undefined || event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        done(dismissed);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (submitting && submitting.disabled !== true) give(submitting);
      }}
    >
      <h2>{title}</h2>
      <ScrollBody>
        {text !== undefined && <p data-dialog-text>{text}</p>}
        {quote !== undefined && (
          <p className="vitrine-quote" data-dialog-text={text === undefined ? true : undefined} dir="auto">
            {quote}
          </p>
        )}
        {children}
      </ScrollBody>
      <div className="vitrine-answers">
        {answers.map((answer) => (
          <Button
            key={answer.label}
            kind={answer.kind}
            disabled={answer.disabled}
            autoFocus={answer === focused}
            submits={answer === submitting}
            onPress={
              answer === submitting
                ? undefined
                : () => {
                    give(answer);
                  }
            }
          >
            {answer.label}
          </Button>
        ))}
      </div>
    </form>
  );
}
