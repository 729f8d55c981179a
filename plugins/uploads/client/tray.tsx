import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { AmountText, Announcement, fileSize, IconButton, List, Panel, Progress, Row } from '../../../core/ui.ts';
import { isOver } from './uploads.ts';
import type { UploadRow, Uploads } from './uploads.ts';

export interface TrayProps {
  readonly uploads: Uploads;
  readonly texts: Texts;
}

/** The list of uploads. */
export default function Tray({ uploads, texts }: TrayProps): ReactElement {
  const rows = useSyncExternalStore(uploads.subscribe, uploads.rows);
  const news = uploads.news();
  const title = texts.text('uploads.title');
  return (
    <Panel label={title} closeLabel={texts.text('uploads.close')} onClose={() => uploads.close()}>
      <List label={title}>
        {rows.map((row) => (
          <UploadedRow key={row.id} row={row} uploads={uploads} texts={texts} />
        ))}
      </List>
      <Announcement>{news && `${news.name}: ${detailOf(news, texts)}`}</Announcement>
    </Panel>
  );
}

function UploadedRow({ row, uploads, texts }: { readonly row: UploadRow } & TrayProps): ReactElement {
  const { id, state, name, count, sent, size } = row;
  const title = count === 1 ? name : texts.text('uploads.several', { name, more: count - 1 });
  const action = isOver(state) ? 'remove' : 'cancel';
  const act = (): void => (isOver(state) ? uploads.remove(id) : uploads.cancel(id));
  const buttons = (
    <>
      {state === 'paused' && (
        <IconButton
          icon="reload"
          label={texts.text('uploads.retry', { name: title })}
          onPress={() => void uploads.retry(id)}
        />
      )}
      <IconButton icon="close" label={texts.text(`uploads.${action}`, { name: title })} onPress={act} />
    </>
  );
  const facts = { 'data-vitrine-transfer': 'up', 'data-state': state };
  const isSent = state === 'sending' || state === 'paused';
  const share = isSent && size > 0 ? sent / size : undefined;
  const icon = state === 'blocked' ? 'shield' : state === 'failed' || state === 'paused' ? 'warning' : 'file';
  const detail =
    state === 'sending' ? (
      <AmountText
        bytes={sent}
        total={size}
        language={texts.language}
        word={(name, amounts) => texts.text(`uploads.${name}`, amounts)}
      />
    ) : (
      detailOf(row, texts)
    );
  return (
    <Row icon={icon} title={title} detail={detail} actions={buttons} facts={facts}>
      {!isOver(state) && <Progress label={texts.text('uploads.progress', { name: title })} value={share} />}
      {isSent && row.next && <NextFiles label={title} row={row} uploads={uploads} texts={texts} />}
    </Row>
  );
}

/** The files of an upload of several that are still to be sent, the one that is sent first. */
function NextFiles({
  label,
  row,
  uploads,
  texts,
}: { readonly label: string; readonly row: UploadRow } & TrayProps): ReactElement {
  return (
    <List label={label}>
      {(row.next ?? []).map(({ at, name, size, sent }) => {
        const received = fileSize(sent, texts.language);
        const total = fileSize(size, texts.language);
        return (
          <Row
            key={at}
            title={name}
            detail={sent > 0 ? texts.text('uploads.of', { received, total }) : total}
            facts={{ 'data-vitrine-transfer': 'up-file' }}
            actions={
              <IconButton
                icon="close"
                label={texts.text('uploads.leave-out', { name })}
                onPress={() => uploads.leaveOut(row.id, at)}
              />
            }
          />
        );
      })}
    </List>
  );
}

/** The second line of a row that is not sent. */
function detailOf({ state, reason, message, most }: UploadRow, texts: Texts): string {
  return message ?? texts.text(reason ?? `uploads.${state}`, { most: most ?? '' });
}
