import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { jsonBody, NOTICE_TO_CELL, TO_CELL, TO_GATEWAY } from '../../cells/protocol.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';
import { CELL_LIMITS } from '../cell-limits.ts';
import { serveCell } from '../serve.ts';
import { ANNA } from './harness.ts';

it('[S-098] asks for a policy that has changed while that of its person was on its way', async () => {
  const [gateway, own] = linkPair();
  const cell = serveCell(own, {
    launch: () => Promise.reject(new AppError('surrogate-launch-failed', 'not part of this test')),
    egress: {}, // no browser reaches it
    denied: [],
    extensionDir: '',
    plugins: [],
    limits: CELL_LIMITS,
    options: {},
    settings: coreSettings,
    log: silent,
  });
  onTestFinished(() => cell.close());
  const policy = await createPolicyEngine({ settings: coreSettings, capabilities: [], log: silent });
  let asked = 0;
  gateway.handle(TO_GATEWAY.policy, () => {
    asked += 1;
    return { body: jsonBody(policy.slice(ANNA)) };
  });
  const rest = Promise.withResolvers<undefined>();
  const whole = jsonBody(policy.slice(ANNA));
  const slow = async function* (): AsyncGenerator<Uint8Array> {
    yield whole.subarray(0, 1);
    await rest.promise;
    yield whole.subarray(1);
  };
  const begun = gateway.call(TO_CELL.begin, ANNA, { key: 'anna', body: slow() });
  gateway.notify(NOTICE_TO_CELL.policy, null);
  await gateway.ping(PATIENCE_MS);
  expect(asked).toBe(0); // there is nothing that the answer would be for
  rest.resolve(undefined);
  await begun;
  await expect.poll(() => asked).toBe(1);
  gateway.notify(NOTICE_TO_CELL.policy, null);
  await expect.poll(() => asked).toBe(2);
});
