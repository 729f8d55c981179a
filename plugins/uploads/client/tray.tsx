import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { Announcement, IconButton, List, Panel, Progress, Row } from '../../../core/ui.ts';
import { isOver } from './uploads.ts';
import type { UploadRow, Uploads } from './uploads.ts';

export interface TrayProps {
  readonly uploads: Uploads;
  readonly texts: Texts;
}

/** The list of uploads. */
export default function Tray({ uploads, texts }: TrayProps): ReactElement {
  const rows = useSyncExternalStore(uploads.subscribe, uploads.rows);
  const last = rows.find(({ state }) => isOver(state));
  const title = texts.text('uploads.title');
  return (
    <Panel label={title} closeLabel={texts.text('uploads.close')} onClose={() => uploads.close()}>
      <List label={title}>
        {rows.map((row) => (
          <UploadedRow key={row.id} row={row} uploads={uploads} texts={texts} />
        ))}
      </List>
      <Announcement>{last && `${last.name}: ${detailOf(last, texts)}`}</Announcement>
    </Panel>
  );
}

function UploadedRow({ row, uploads, texts }: { readonly row: UploadRow } & TrayProps): ReactElement {
  const { id, state, name, count, sent, size } = row;
  const title = count === 1 ? name : texts.text('uploads.several', { name, more: count - 1 });
  const action = isOver(state) ? 'remove' : 'cancel';
  const act = (): void => (isOver(state) ? uploads.remove(id) : uploads.cancel(id));
  const button = <IconButton icon="close" label={texts.text(`uploads.${action}`, { name: title })} onPress={act} />;
  const facts = { 'data-vitrine-transfer': 'up', 'data-state': state };
  const share = state === 'sending' && size > 0 ? sent / size : undefined;
  const icon = state === 'blocked' ? 'shield' : state === 'failed' ? 'warning' : 'file';
  return (
    <Row icon={icon} title={title} detail={detailOf(row, texts)} actions={button} facts={facts}>
      {!isOver(state) && <Progress label={texts.text('uploads.progress', { name: title })} value={share} />}
    </Row>
  );
}

function detailOf({ state, reason, message }: UploadRow, texts: Texts): string {
  return message ?? texts.text(reason ?? `uploads.${state}`);
}
