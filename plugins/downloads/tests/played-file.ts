import { AppError } from '../../../host/plugin.ts';
import type { DeskFile, FileFindings, FileState, SizeLimit } from '../../../host/plugin.ts';

const FINDINGS: FileFindings = {
  type: { mime: 'text/plain', extension: 'txt', group: 'text' },
  verdict: 'not-scanned',
  reason: 'there is no scanner',
  isLocked: false,
  scanners: 0,
  checks: [],
};

/** A file of the desk that the test plays. */
export class PlayedFile implements DeskFile {
  readonly key = 'K';
  readonly name = 'a.txt';
  size = 0;
  sha256: string | undefined;
  state: FileState = { is: 'growing' };
  readonly judged: (string | undefined)[] = [];
  next: FileState = { is: 'allowed', isScanned: false, checks: [] };

  async receive(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of bytes) this.size += chunk.length;
  }
  async complete(): Promise<void> {
    this.sha256 = 'f'.repeat(64);
    this.state = { is: 'checking', checks: [] };
  }
  async judge({ password }: { password?: string } = {}): Promise<FileFindings> {
    this.judged.push(password);
    if (this.next.is === 'failed') throw new AppError('service-gone', 'gone');
    this.state = this.next;
    return FINDINGS;
  }
  bytes(): Promise<AsyncIterable<Uint8Array>> {
    return Promise.reject(new Error('not part of this test'));
  }
  limit: SizeLimit | undefined;
  async refresh(): Promise<void> {}
  async block(): Promise<void> {
    this.state = {
      is: 'blocked',
      reason: 'rule',
      checks: [{ plugin: 'rules', status: 'FINISHED', rule: 'r' }],
      rule: 'r',
    };
  }
  async end(state: FileState): Promise<void> {
    this.state = state;
  }
}
