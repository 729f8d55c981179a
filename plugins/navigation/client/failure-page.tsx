import type { ReactElement } from 'react';
import { Button, Page } from '../../../core/ui.ts';
import { FAILURE_TEXTS, stoppedBecause } from '../failures.ts';
import type { FailurePageProps } from './index.ts';

/** Shown in place of the page: the reason why it could not be opened, and a retry button. */
export default function FailurePage({ problem, retry }: FailurePageProps): ReactElement {
  const { title, text, retry: canRetry } = FAILURE_TEXTS[problem.failure];
  const site = URL.parse(problem.url)?.host ?? '';
  const [before = '', after = ''] = text.replace('{stopped}', stoppedBecause(problem.detail)).split('{site}');
  return (
    <Page
      title={title}
      detail={problem.detail}
      actions={
        <>
          {canRetry && (
            <Button kind="primary" autoFocus onPress={retry}>
              Try again
            </Button>
          )}
          <a className="vitrine-link" href="/">
            Open another page
          </a>
        </>
      }
    >
      <p>
        {before}
        {text.includes('{site}') && <b>{site || 'This address'}</b>}
        {after}
      </p>
      <p className="vitrine-about" dir="ltr">
        {problem.url.slice(0, 300)}
      </p>
    </Page>
  );
}
