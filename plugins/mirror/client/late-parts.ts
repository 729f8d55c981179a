/** Parts of the renderer that few pages need: loaded with the first use of one of them. */
export { MirrorDiagnostics } from './diagnostics.ts';
export { MirrorHighlighter } from './highlighter.ts';
