import { question, slot, textsToken } from '../../../core/index.ts';
import type { ClientScope, Editable, QuestionProps } from '../../../core/index.ts';
import type { EchoConfig } from './start.ts';
import type { Trust } from './trust.ts';

const alertSlot = slot<QuestionProps>('local-echo.alert', 'dialog');

/**
 * The page has another text than the person saw: it is shown from now on. With `show_alert` a dialog says so; with `need_confirmation` typing in
 * the field is echoed again only where the person wants it (M-010).
 */
export async function warnOfMismatch(
  { events, services, signal, slots }: Pick<ClientScope, 'events' | 'services' | 'signal' | 'slots'>,
  { need_confirmation: mustAsk, show_alert: mustSay }: Pick<EchoConfig, 'need_confirmation' | 'show_alert'>,
  field: Editable,
  trust: Pick<Trust, 'decide'>,
): Promise<void> {
  events.report('tc-lecho-mismatch', { frame: field.target.frame, kind: field.kind }, { level: 'warning' });
  if (mustAsk) trust.decide(field, false);
  if (!mustAsk && !mustSay) return;
  const texts = services.get(textsToken);
  const words = {
    title: texts.text('ID_MODAL_LECHO_ALERT_TITLE'),
    text: texts.text('ID_MODAL_LECHO_ALERT_TEXT'),
    no: texts.text('local-echo.wait'),
    yes: texts.text('local-echo.go-on'),
  };
  const isWanted = await slots.ask(alertSlot, { ...question, role: 'alertdialog' }, words, signal);
  trust.decide(field, isWanted === true);
}
