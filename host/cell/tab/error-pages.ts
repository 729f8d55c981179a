import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * Makes frames that failed to load show Chromium's error page. Chromium runs no extension in its own error pages, so
 * the page halves are injected there. The error page of a main frame is not shown: the navigation plugin shows the
 * failure.
 *
 * @param extensionDir the folder of the extension that carries the page halves everywhere else
 */
export function reachErrorPages(frames: FrameTree, extensionDir: string): void {
  frames.onNavigation(({ frame: { id }, unreachableUrl }) => {
    if (unreachableUrl !== undefined && id !== MAIN_FRAME) quietly(reach(frames, id, extensionDir));
  });
}

async function reach(frames: FrameTree, frame: number, extensionDir: string): Promise<void> {
  const page = frames.loaderOf(frame);
  const expression = await readFile(path.join(extensionDir, 'page.js'), 'utf8');
  const session = frames.sessionOf(frame);
  const frameId = frames.frameId(frame);
  if (!session || frameId === undefined || frames.loaderOf(frame) !== page) return;
  const made = await session.send('Page.createIsolatedWorld', { frameId, worldName: PAGE_WORLD });
  // Its world ends with the error page: in another document it would be in the way.
  if (frames.loaderOf(frame) === page)
    await session.send('Runtime.evaluate', { expression, contextId: made.executionContextId });
}
