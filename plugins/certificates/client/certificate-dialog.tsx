import type { ReactElement } from 'react';
import type { CertificateProps } from './index.ts';

/** What is wrong with a certificate, and whose it is. Back is the default, and the only answer where nobody may proceed. */
export default function CertificateDialog({ invalid, texts, done }: CertificateProps): ReactElement {
  const { site, fault, code, certificate, proceed } = invalid;
  const say = (id: string, values?: Readonly<Record<string, string>>): string =>
    texts.text(`certificates.${id}`, values);
  const day = (seconds: number): string =>
    new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000);
  const facts = certificate && [
    ['subject', certificate.subject],
    ['issuer', certificate.issuer],
    ['from', day(certificate.from)],
    ['to', day(certificate.to)],
    ['fingerprint', certificate.fingerprint.replace(/../g, '$& ').trim()],
  ];
  return (
    <form
      className="certificate"
      onSubmit={(event) => {
        event.preventDefault();
        done(false);
      }}
    >
      <h2>{say('title')}</h2>
      <div data-dialog-text>
        <p>
          <bdi className="site" dir="ltr">
            {site}
          </bdi>
        </p>
        <p>{say(`fault-${fault}`)}</p>
        <p>{say('danger')}</p>
        {proceed !== 'allowed' && <p>{say(`forbidden-${proceed}`)}</p>}
      </div>
      {facts && (
        <details>
          <summary>{say('details')}</summary>
          <dl>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{say(name ?? '')}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
          <p dir="ltr">{code}</p>
        </details>
      )}
      <div className="actions">
        {proceed === 'allowed' && (
          <button type="button" onClick={() => done(true)}>
            {say('proceed')}
          </button>
        )}
        <button type="submit" className="primary" data-autofocus>
          {say('back')}
        </button>
      </div>
    </form>
  );
}
