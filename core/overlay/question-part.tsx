import type { ReactElement } from 'react';
import { Question } from '../ui/question.tsx';
import type { QuestionProps } from './question.ts';

/** A question with two answers; the default is no. Escape also means no. */
export default function QuestionPart({ title, text, no, yes, done }: QuestionProps): ReactElement {
  return (
    <Question
      title={title}
      text={text}
      done={done}
      answers={[
        { label: no, value: false, isDefault: true },
        { label: yes, value: true, kind: 'primary' },
      ]}
    />
  );
}
