import type { ReactElement } from 'react';
import type { QuestionProps } from './question.ts';

/** A question with two answers; the default is no. Escape also means no. */
export default function Question({ title, text, no, yes, done }: QuestionProps): ReactElement {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done(true);
      }}
    >
      <h2>{title}</h2>
      <p data-dialog-text>{text}</p>
      <div className="actions">
        <button
          type="button"
          autoFocus
          onClick={() => {
            done(false);
          }}
        >
          {no}
        </button>
        <button type="submit" className="primary">
          {yes}
        </button>
      </div>
    </form>
  );
}
