/** Entry for client halves: the only client module of core that plugins import. */
export { AppError, toAppError } from './protocol/errors.ts';
export { message, nothing, validate } from './protocol/message.ts';
export type { Message, ParamsOf, ResultOf } from './protocol/message.ts';
export type { ByteSource, ByteStream } from './protocol/body.ts';
export { PLUGIN_API } from './contracts/manifest.ts';
export type { Manifest } from './contracts/manifest.ts';
export { token } from './contracts/token.ts';
export type { Token } from './contracts/token.ts';
export { hooksToken } from './contracts/client-hooks.ts';
export type { ClientHooks, PageShown } from './contracts/client-hooks.ts';
export type { ActionList, TabAction } from './contracts/tab-actions.ts';
export { textsToken } from './contracts/texts.ts';
export type { Catalogues, Texts } from './contracts/texts.ts';
export { rendererToken } from './contracts/renderer.ts';
export { inputToken, pastedFilesToken } from './contracts/input-devices.ts';
export type { Device, DeviceView, InputDevices } from './contracts/input-devices.ts';
export { personHistoryToken } from './contracts/person-history.ts';
export type { PersonHistory } from './contracts/person-history.ts';
export { policyToken } from './contracts/policy-answers.ts';
export type { PolicyAnswers, PolicyValues } from './contracts/policy-answers.ts';
export { helperToken } from './contracts/cross-origin-frame.ts';
export type { Helper, HelperMethod, HelperProgress } from './contracts/cross-origin-frame.ts';
export { rememberPage } from './portal/recent-pages.ts';
export { copyText } from './session/shell/copy-text.ts';
export { unfinishedWork } from './session/shell/unfinished.ts';
export type { Box } from './contracts/box.ts';
export type { Editable, EditableTraits, Editing, TextState, ViewSelection } from './contracts/editing.ts';
export type {
  Diagnostics,
  Edit,
  Highlighter,
  Highlights,
  MarkedBox,
  Readings,
  Renderer,
  ViewDocument,
} from './contracts/renderer.ts';
export type { EditMeans } from './protocol/edit-means.ts';
export type { Target } from './protocol/target.ts';
export { question } from './overlay/question.ts';
export type { QuestionProps } from './overlay/question.ts';
export { menu } from './overlay/menu.ts';
export type { AskMenuProps } from './overlay/menu.ts';
export { Snackbar } from './overlay/snackbar.ts';
export { slot, SLOTS } from './contracts/slots.ts';
export type { DialogProps, Slot, SlotContribution, Slots } from './contracts/slots.ts';
export type { Commands, Hooks, Log, Scope, Services } from './contracts/scope.ts';
export type {
  ActivateClient,
  ClientScope,
  Events,
  PairingFacts,
  PluginStorage,
  SessionFacts,
} from './contracts/client-scope.ts';
