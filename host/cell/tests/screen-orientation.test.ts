import { expect, it, onTestFinished } from 'vitest';
import { ANNA, browse, pairRequest, serveSite, startWorker } from './harness.ts';

it('[S-042] pages have the orientation of the person’s screen, and its angle', async () => {
  const site = await serveSite(() => '<!doctype html><p>hello');
  onTestFinished(() => site.close());
  const started = await startWorker();
  onTestFinished(() => started.stop());
  const turned = async (type: 'portrait' | 'landscape', angle: number): Promise<unknown> => {
    const { render_params: params } = pairRequest('');
    const turn = { screen_orientation_type: type, screen_orientation_angle: angle };
    const render_params = { ...params, device_metrics: { ...params.device_metrics, ...turn } };
    const client = await browse(started.worker, site.url('turned.test'), ANNA, { render_params });
    await client.tellsOf('ready');
    const expression = "`${screen.orientation.type.split('-')[0]} ${screen.orientation.angle}`";
    const found = await client.ask(`cdp Runtime.evaluate ${JSON.stringify({ expression, returnByValue: true })}`);
    return (JSON.parse(found) as { result: { value: unknown } }).result.value; // Runtime.evaluate's own shape
  };
  expect([await turned('portrait', 180), await turned('landscape', 270)]).toEqual(['portrait 180', 'landscape 270']);
});
