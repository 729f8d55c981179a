import type { ReactElement } from 'react';
import type { DialogProps, Texts } from '../../../core/index.ts';
import { Question } from '../../../core/ui.ts';

export interface RefusedProps extends DialogProps<true> {
  readonly filename: string;
  readonly site: string;
  readonly texts: Texts;
}

/** Says that the policy lets nobody download from a site (M-006: DownloadDisabled). */
export default function Refused({ filename, site, texts, done }: RefusedProps): ReactElement {
  return (
    <Question
      title={texts.text('downloads.refused-title')}
      text={texts.text('downloads.refused-text', { name: filename, site })}
      done={done}
      answers={[{ label: texts.text('downloads.ok'), kind: 'primary', value: true }]}
    />
  );
}
