/** Entry of the cross-origin helper frame, which the host serves at the inspect domain to the shells that it names. */
import { frameRole } from './session/shell/frame-role.ts';
import { serveShell } from './session/cof/server.ts';

const shell = document.documentElement.dataset['vitrineShell'];
if (frameRole(document) === 'cof-server' && shell !== undefined) serveShell(window, shell);
