import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PAGE_GLOBAL } from '../../../core/protocol/page-messages.ts';
import { isBlank } from '../../base/addresses.ts';
import { PAGE_WORLD } from '../../surrogate/page-half-check.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * Injects the page halves into documents in which Chromium runs no extension: its own error pages of frames that failed to load, and a blank page
 * that the person has opened. The error page of a main frame is not shown: the navigation plugin shows the failure.
 *
 * @param extensionDir the folder of the extension that carries the page halves everywhere else
 */
export function reachBareDocuments(frames: FrameTree, extensionDir: string): void {
  frames.onNavigation(({ frame: { id, url }, sameDocument, unreachableUrl }) => {
    const isBare = id === MAIN_FRAME ? isBlank(url) : unreachableUrl !== undefined;
    if (isBare && !sameDocument) quietly(reach(frames, id, extensionDir));
  });
}

async function reach(frames: FrameTree, frame: number, extensionDir: string): Promise<void> {
  const page = frames.loaderOf(frame);
  const expression = await readFile(path.join(extensionDir, 'page.js'), 'utf8');
  const session = frames.sessionOf(frame);
  const frameId = frames.frameId(frame);
  if (!session || frameId === undefined || frames.loaderOf(frame) !== page) return;
  // A blank page that another page has opened has them.
  if (frame === MAIN_FRAME && (await runsPageHalves(frames, frame))) return;
  if (frames.loaderOf(frame) !== page) return;
  const made = await session.send('Page.createIsolatedWorld', { frameId, worldName: PAGE_WORLD });
  // Its world ends with the document: in another document it would be in the way.
  if (frames.loaderOf(frame) === page)
    await session.send('Runtime.evaluate', { expression, contextId: made.executionContextId });
}

/** Whether the page halves have started in a document. Their world alone is no sign: Chromium keeps it for the next document of the frame. */
async function runsPageHalves(frames: FrameTree, frame: number): Promise<boolean> {
  await frames.sessionOf(frame)?.send('Runtime.evaluate', { expression: '0' }); // what starts with the document has started
  const world = frames.worldOf(frame);
  if (!world) return false;
  const { uniqueId: uniqueContextId, session } = world;
  const expression = `${JSON.stringify(PAGE_GLOBAL)} in globalThis`;
  const { result } = await session.send('Runtime.evaluate', { expression, uniqueContextId, returnByValue: true });
  return result.value === true;
}
