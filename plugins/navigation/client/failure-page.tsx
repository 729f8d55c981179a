import type { ReactElement } from 'react';
import { Button, Page } from '../../../core/ui.ts';
import { mayRetry, stoppedBy } from '../failures.ts';
import type { FailurePageProps } from './index.ts';

/** Shown in place of the page: the reason why it could not be opened, and a retry button. Its texts have been loaded. */
export default function FailurePage({ problem, retry, texts }: FailurePageProps): ReactElement {
  const { failure, url, detail, words: given } = problem;
  const words = (id: string, params: Readonly<Record<string, string>> = {}): string =>
    texts.text(`navigation.${id}`, params);
  const site = URL.parse(url.replace(/^blob:/, ''))?.host ?? '';
  const text = words(`${failure}.text`, { stopped: words(`stopped.${stoppedBy(detail)}`), site: '{site}' });
  const [before = '', after] = text.split('{site}');
  return (
    <Page
      title={words(`${failure}.title`)}
      detail={<bdi dir="ltr">{detail}</bdi>}
      actions={
        <>
          {mayRetry(failure) && (
            <Button kind="primary" autoFocus onPress={retry}>
              {texts.text('ID_RETRY')}
            </Button>
          )}
          <a className="vitrine-link" href="/">
            {words('open-other')}
          </a>
        </>
      }
    >
      <p>
        {before}
        {after !== undefined && <b>{site || words('this-address')}</b>}
        {after}
      </p>
      {given !== undefined && <p>{given}</p>}
      <p className="vitrine-about" dir="ltr">
        {url.slice(0, 300)}
      </p>
    </Page>
  );
}
