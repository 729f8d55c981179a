/** Entry of the cross-origin helper frame. The host serves it at the inspect domain to allowed shells. */
import { frameRole } from './session/shell/frame-role.ts';
import { serveShell } from './session/cof/server.ts';

const shell = document.documentElement.dataset['vitrineShell'];
if (frameRole(document) === 'cof-server' && shell !== undefined) serveShell(window, shell);
