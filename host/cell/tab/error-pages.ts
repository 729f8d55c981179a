import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * Has frames that could not be loaded show what Chromium shows in their place. It lets no extension into its own error pages, and so the
 * page halves are put there. That of a whole page is not shown: the navigation plugin tells what has happened.
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
  // Its world goes with the error page: in another document this one would be a stranger.
  if (frames.loaderOf(frame) === page)
    await session.send('Runtime.evaluate', { expression, contextId: made.executionContextId });
}
