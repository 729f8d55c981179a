/** Start-up of the client in the shell: session information, pairing, channel, plugins (core/session/compose.ts). */
import './overlay/shell.css'; // the shell links it; imported here so that the build includes it
import { startSession } from './session/compose.ts';
import { frameRole } from './session/shell/frame-role.ts';

const started = frameRole(document) === 'top' ? startSession(window) : Promise.resolve();
started.catch((thrown: unknown) => {
  // An error here occurs before anything could show or report it.
  document.documentElement.dataset['vitrineState'] = 'error';
  const info = document.getElementById('vitrine-info') ?? document.body;
  info.textContent = 'The isolated browser could not be started here.';
  document.querySelector('#vitrine-preload .spinner')?.remove();
  console.error(thrown);
});
