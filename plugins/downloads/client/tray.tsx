import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { AmountText, Announcement, fileSize, IconButton, List, Panel, Progress, Row } from '../../../core/ui.ts';
import { isOver } from './transfers.ts';
import type { Transfer, Transfers } from './transfers.ts';

export interface TrayProps {
  readonly transfers: Transfers;
  readonly texts: Texts;
}

/** The list of downloads. */
export default function Tray({ transfers, texts }: TrayProps): ReactElement {
  const rows = useSyncExternalStore(transfers.subscribe, transfers.rows);
  const news = transfers.news();
  return (
    <Panel
      label={texts.text('downloads.title')}
      closeLabel={texts.text('downloads.close')}
      onClose={() => transfers.close()}
    >
      <List label={texts.text('downloads.title')}>
        {rows.map((row) => (
          <TransferRow key={row.id} row={row} transfers={transfers} texts={texts} />
        ))}
      </List>
      <Announcement>{news && `${news.filename}: ${detailOf(news, texts)}`}</Announcement>
    </Panel>
  );
}

function TransferRow({ row, transfers, texts }: { readonly row: Transfer } & TrayProps): ReactElement {
  const { id, state, filename, progress, asked, retry } = row;
  const canSave = state === 'saved' || (state === 'allowed' && !asked);
  const action = (name: string): string => texts.text(`downloads.${name}`, { name: filename });
  const facts = { 'data-vitrine-transfer': 'down', 'data-state': state };
  const actions = (
    <>
      {retry && <IconButton icon="reload" label={action('retry')} onPress={() => transfers.retry(id)} />}
      {canSave && (
        <IconButton
          icon="download"
          label={action(state === 'saved' ? 'save-again' : 'save')}
          onPress={() => transfers.save(id)}
        />
      )}
      {isOver(state) || state === 'quarantined' ? (
        <IconButton icon="close" label={action('remove')} onPress={() => transfers.remove(id)} />
      ) : (
        <IconButton icon="close" label={action('cancel')} onPress={() => transfers.cancel(id)} />
      )}
    </>
  );
  const detail =
    state === 'receiving' ? (
      <AmountText
        bytes={row.received}
        total={row.total}
        language={texts.language}
        word={(name, amounts) => texts.text(`downloads.${name}`, amounts)}
      />
    ) : (
      detailOf(row, texts)
    );
  return (
    <Row icon={iconOf(row)} title={filename} hint={row.uri} detail={detail} actions={actions} facts={facts}>
      {!isOver(state) && !canSave && state !== 'quarantined' && (
        <Progress label={action('progress')} value={progress} />
      )}
    </Row>
  );
}

function iconOf({ state }: Transfer): 'file' | 'shield' | 'warning' {
  if (state === 'blocked' || state === 'quarantined') return 'shield';
  return state === 'failed' ? 'warning' : 'file';
}

/** The second line of a row that is not received. */
function detailOf({ state, received, reason, most, message, isScanned }: Transfer, texts: Texts): string {
  switch (state) {
    case 'saved': {
      const size = fileSize(received, texts.language);
      return texts.text(isScanned === true ? 'downloads.saved-clean' : 'downloads.saved', { size });
    }
    case 'quarantined':
      return `${message ?? ''} ${texts.text('downloads.quarantined')}`.trim();
    case 'blocked':
    case 'failed':
      return message ?? texts.text(reason ?? 'downloads.host-failed', { most: most ?? '' });
    default:
      return texts.text(`downloads.${state}`);
  }
}
