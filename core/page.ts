/** Entry for page halves: the page kernel and what halves get of it. */
export { message, nothing, validate } from './protocol/message.ts';
export type { Message, ParamsOf, ResultOf } from './protocol/message.ts';
export type { ByteSource, ByteStream } from './protocol/body.ts';
export { AppError, toAppError } from './protocol/errors.ts';
export { PLUGIN_API } from './contracts/manifest.ts';
export { isContent, isOpaque, RUNS_SCRIPTS } from './kernel/content.ts';
export { dom, NODE } from './kernel/dom.ts';
export { focusedElement } from './kernel/focused.ts';
export { Sweep } from './kernel/sweep.ts';
export type { Kernel, Recorder, Recording, Root } from './contracts/kernel.ts';
export type { ActivatePage, PageScope } from './contracts/page-scope.ts';
