import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { Announcement, IconButton, List, Panel, Progress, Row } from '../../../core/ui.ts';
import { fileSize } from './file-size.ts';
import { isOver } from './transfers.ts';
import type { Transfer, Transfers } from './transfers.ts';

export interface TrayProps {
  readonly transfers: Transfers;
  readonly texts: Texts;
}

/** The list of downloads. */
export default function Tray({ transfers, texts }: TrayProps): ReactElement {
  const rows = useSyncExternalStore(transfers.subscribe, transfers.rows);
  const last = rows.find(({ state }) => isOver(state));
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
      <Announcement>{last && `${last.filename}: ${detailOf(last, texts)}`}</Announcement>
    </Panel>
  );
}

function TransferRow({ row, transfers, texts }: { readonly row: Transfer } & TrayProps): ReactElement {
  const { id, state, filename, progress, asked } = row;
  const canSave = state === 'saved' || (state === 'allowed' && !asked);
  const action = (name: string): string => texts.text(`downloads.${name}`, { name: filename });
  const facts = { 'data-vitrine-transfer': 'down', 'data-state': state };
  const actions = (
    <>
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
  return (
    <Row icon={iconOf(row)} title={filename} detail={detailOf(row, texts)} actions={actions} facts={facts}>
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

function detailOf({ state, received, total, reason, most, message, isScanned }: Transfer, texts: Texts): string {
  const size = (bytes: number): string => fileSize(bytes, texts.language);
  switch (state) {
    case 'receiving':
      return total === undefined
        ? size(received)
        : texts.text('downloads.of', { received: size(received), total: size(total) });
    case 'saved':
      return texts.text(isScanned === true ? 'downloads.saved-clean' : 'downloads.saved', { size: size(received) });
    case 'quarantined':
      return `${message ?? ''} ${texts.text('downloads.quarantined')}`.trim();
    case 'blocked':
    case 'failed':
      return message ?? texts.text(reason ?? 'downloads.host-failed', { most: most ?? '' });
    default:
      return texts.text(`downloads.${state}`);
  }
}
