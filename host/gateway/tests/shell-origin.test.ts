import { describe, expect, it } from 'vitest';
import { shellOrigin } from '../helper-frames.ts';

describe('the shell of a helper frame', () => {
  it.each([
    ['http://localhost:7700', 'localhost:7700'],
    ['http://127.0.0.1:7700', 'localhost:7700'],
    ['http://localhost:7700', '[::1]:7700'],
    ['http://10.1.2.3:7700', '10.1.2.3:7700'],
    ['https://vitrine.example', 'inspect.example'],
  ])('may be %s where the helper is at %s', (shell, own) => {
    expect(shellOrigin(shell, own, ['https://vitrine.example'])).toBe(shell);
  });

  it.each([
    ['http://203.0.113.9:7700', 'localhost:7700'],
    ['http://203.0.113.9:7700', '10.1.2.3:7700'],
    ['http://127.0.0.1:7700', '10.1.2.3:7700'],
    ['http://localhost:7701', 'localhost:7700'],
    ['http://127.0.0.1.evil.example:7700', 'localhost:7700'],
    ['http://evil.example', 'localhost:7700'],
    ['http://localhost:7700/path', 'localhost:7700'],
    ['javascript:1', 'localhost:7700'],
    [['http://localhost:7700'], 'localhost:7700'],
    [undefined, 'localhost:7700'],
  ])('is never %s where the helper is at %s', (shell, own) => {
    expect(shellOrigin(shell, own, ['https://vitrine.example'])).toBeUndefined();
  });
});
