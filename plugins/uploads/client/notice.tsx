import type { ReactElement } from 'react';
import type { DialogProps } from '../../../core/index.ts';
import { Question } from '../../../core/ui.ts';

export interface NoticeProps extends DialogProps<boolean> {
  readonly title: string;
  readonly text: string;
  /** Label of the answer that ends the upload, or of the only one. */
  readonly no: string;
  /** Label of the answer that goes on, where there is one. */
  readonly yes: string | undefined;
}

/** Says that files are not uploaded, and asks whether to go on without them where others are left (M-007). */
export default function Notice({ title, text, no, yes, done }: NoticeProps): ReactElement {
  const last = { label: no, value: false, ...(yes === undefined && { kind: 'primary' as const }) };
  const answers = yes === undefined ? [last] : [last, { label: yes, value: true, kind: 'primary' as const }];
  return <Question title={title} text={text} answers={answers} dismissed={false} done={done} />;
}
