import type { ReactElement } from 'react';
import { List, Notice, Question, Row } from '../../../core/ui.ts';
import type { CertificateProps } from './index.ts';

/** Keeps a host in one piece and in its own direction within other words. */
const isolated = (host: string): string => `\u2066${host}\u2069`;

/** Shows the fault of a certificate, and whose it is. Back is the default, and the only answer where nobody may proceed. */
export default function CertificateDialog({ invalid, texts, done }: CertificateProps): ReactElement {
  const { site, fault, code, certificate, proceed } = invalid;
  const say = (id: string): string => texts.text(`certificates.${id}`);
  const day = (seconds: number): string =>
    new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'short' }).format(seconds * 1000);
  return (
    <Question
      title={texts.text('certificates.title', { site: isolated(site) })}
      text={`${say(`fault-${fault}`)} ${say('danger')}`}
      answers={[
        ...(proceed === 'allowed' ? [{ label: say('proceed'), value: true }] : []),
        { label: say('back'), value: false, kind: 'primary', isDefault: true },
      ]}
      dismissed={false}
      done={done}
    >
      {proceed !== 'allowed' && <Notice kind="warning">{say(`forbidden-${proceed}`)}</Notice>}
      {certificate && (
        <List label={say('details')}>
          <Row title={say('subject')} detail={<bdi>{certificate.subject}</bdi>} />
          <Row title={say('issuer')} detail={<bdi>{certificate.issuer}</bdi>} />
          <Row title={say('from')} detail={day(certificate.from)} />
          <Row title={say('to')} detail={day(certificate.to)} />
          <Row
            title={say('fingerprint')}
            detail={<bdi data-fingerprint>{certificate.fingerprint.replace(/../g, '$& ').trim()}</bdi>}
          />
          <Row title={say('error')} detail={<bdi>{code}</bdi>} />
        </List>
      )}
    </Question>
  );
}
