/** Entry for host halves: what a plugin gets for each tab that has it. */

export { AppError, toAppError } from '../core/protocol/errors.ts';
export { message, nothing, validate } from '../core/protocol/message.ts';
export { token } from '../core/contracts/token.ts';
export type { Token } from '../core/contracts/token.ts';
export type { Message, ParamsOf, ResultOf } from '../core/protocol/message.ts';
export type { ByteSource, ByteStream } from '../core/protocol/body.ts';
export type { SettingValues } from '../core/contracts/setting.ts';
export type { Settings } from './policy/settings.ts';
export { compilePattern, siteOf } from './policy/host-pattern.ts';
export type { SystemFace, SystemFonts } from './fonts/system-fonts.ts';
export { fontFamilies } from './resources/font-names.ts';
export { isInlineable } from './resources/inline-picture.ts';
export { withoutCredentials } from './base/addresses.ts';
export { freeMemory } from './base/free-memory.ts';
export { quotable } from './base/quotable.ts';
export { chunksOf } from './link/chunks-of.ts';
export { readOnce } from './link/pieces.ts';
export { pictureSize } from './resources/picture-size.ts';
export { imageType } from './resources/sniff.ts';
export type { Log, Scope } from '../core/contracts/scope.ts';
export type { Frame } from './contracts/frame.ts';
export { frameAddresses } from './contracts/frame-addresses.ts';
export { giveGesture } from './contracts/give-gesture.ts';
export { FILE_KINDS, fileDeskToken } from './contracts/file-desk.ts';
export type {
  DeskFile,
  FileCheck,
  FileDesk,
  FileFindings,
  FileKind,
  FileState,
  SizeLimit,
} from './contracts/file-desk.ts';
export { stagedSize } from './contracts/surrogate-files.ts';
export type { FileDrag, StagingArea, SurrogateDownload } from './contracts/surrogate-files.ts';
export type { Records } from './contracts/records.ts';
export type {
  ActivateSession,
  ExtensionHandler,
  ExtensionPage,
  PermissionSetting,
  Session,
  SessionScope,
  SessionSurrogate,
  SessionTab,
} from './contracts/session-scope.ts';
export { serviceMethod } from './contracts/service-scope.ts';
export type {
  ActivateService,
  ServiceAnswer,
  ServiceBody,
  ServiceCallOptions,
  ServiceClient,
  ServiceMethod,
  ServiceRequest,
  ServiceResult,
  ServiceCaller,
  ServiceScope,
  ServiceStream,
} from './contracts/service-scope.ts';
export type { RecordedEvent, Verb, Verbs, VerbScope } from './contracts/verbs.ts';
export { GESTURE_MS } from './contracts/tab-input.ts';
export type { Gesture, HostInput, InputKind, InputMethod, InputTurn, Place } from './contracts/tab-input.ts';
export { openedWindowsToken, systemFontsToken } from './contracts/tab-services.ts';
export type { ClosesWindows } from './contracts/tab-services.ts';
export { pageHistoryToken } from './contracts/page-history.ts';
export type { PageHistory } from './contracts/page-history.ts';
export { copyPasteToken, personDownloadsToken, personLinksToken } from './contracts/person-acts.ts';
export type { CopyPaste, PersonDownloads, PersonLinks, SavedFile } from './contracts/person-acts.ts';
export { counted, workToken } from './contracts/work.ts';
export type { Work } from './contracts/work.ts';
export { pageMarkToken } from './contracts/page-mark.ts';
export type { PageMark } from './contracts/page-mark.ts';
export type {
  Route,
  RouteAnswer,
  RouteContext,
  RouteErrors,
  RouteRequest,
  Routes,
  RouteTab,
} from './contracts/routes.ts';
export type {
  ClientAttached,
  InputLost,
  Lagging,
  Navigated,
  NavigationFailed,
  PolicyChanged,
  Replaced,
  TabHooks,
  Unresponsive,
  WindowClosed,
  WindowOpened,
  WindowPaired,
} from './contracts/tab-hooks.ts';
export type {
  ActivateHost,
  CdpBroker,
  Frames,
  HostScope,
  PageBus,
  SessionOrigin,
  StreamingCdpCommand,
  Tab,
} from './contracts/host-scope.ts';
