import type { ReactElement } from 'react';
import { FAILURE_TEXTS, stoppedBecause } from '../failures.ts';
import type { FailurePageProps } from './index.ts';

/** Shown in place of the page: the reason why it could not be opened, and a retry button. */
export default function FailurePage({ problem, retry }: FailurePageProps): ReactElement {
  const { title, text, retry: canRetry } = FAILURE_TEXTS[problem.failure];
  const site = URL.parse(problem.url)?.host ?? '';
  const [before = '', after = ''] = text.replace('{stopped}', stoppedBecause(problem.detail)).split('{site}');
  return (
    <main className="failure-page" role="alert">
      <div>
        <h1>{title}</h1>
        <p>
          {before}
          {text.includes('{site}') && <b>{site || 'This address'}</b>}
          {after}
        </p>
        <p className="address">{problem.url.slice(0, 300)}</p>
        <div className="actions">
          {canRetry && (
            <button type="button" className="primary" autoFocus onClick={retry}>
              Try again
            </button>
          )}
          <a href="/">Open another page</a>
        </div>
        <p className="detail">{problem.detail}</p>
      </div>
    </main>
  );
}
