import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PageBrowser } from './page-browser.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

let browser: PageBrowser;
beforeAll(async () => {
  browser = await PageBrowser.launch();
});
afterAll(() => browser.close());

/** For changes that take a few frames, or more on a busy machine. */
const PATIENCE = { timeout: PATIENCE_MS };

/** Shortest pause between two pictures of a video, in ms. */
const PAUSE_MS = 500;

/** One pixel. */
const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns the width of a picture, and the red, green, blue and alpha of its first pixel, 0 to 255. */
function colorOf(page: Page, address: string): Promise<number[]> {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(image, 0, 0);
    return [image.width, ...context.getImageData(0, 0, 1, 1).data];
  }, address);
}

it('[M-002] a page half sends what is drawn on a canvas for one frame only, until it is drawn on again', async () => {
  const mirrored = await browser.open('<!doctype html><canvas id=c width=20 height=10></canvas>');
  await mirrored.wait();
  const lastColor = (): Promise<number[]> => {
    const picture = mirrored.all('picture').at(-1)!;
    return colorOf(mirrored.page, picture.text(picture.op[2]!));
  };
  // Many frames in a row, not all of which can be sent: the last one stays.
  await mirrored.page.evaluate(async () => {
    const gl = document.querySelector('canvas')!.getContext('webgl')!;
    for (let green = 0; green <= 40; green++) {
      gl.clearColor(1, green / 40, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      await new Promise(requestAnimationFrame);
    }
  });
  const color = async (): Promise<number[]> => (await mirrored.wait(), lastColor());
  await expect.poll(color, PATIENCE).toEqual([20, 255, 255, 0, 255]);
  const { length } = mirrored.all('picture');
  await mirrored.restart();
  await mirrored.wait();
  expect(mirrored.all('picture').length).toBe(length + 1);
  expect(await lastColor()).toEqual([20, 255, 255, 0, 255]);
});

it('[M-002] a page half sends what is drawn once, with its insertion, on a canvas that loses it after the frame', async () => {
  const mirrored = await browser.open('<!doctype html><body></body>');
  await mirrored.wait();
  await mirrored.page.evaluate(async () => {
    const draw = (red: number): void => {
      const part = document.createElement('p');
      const canvas = part.appendChild(document.createElement('canvas'));
      document.body.append(part);
      const gl = canvas.getContext('webgl', { alpha: false })!;
      gl.clearColor(red, 1, 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
    };
    // In a frame, and in a task after which the frame comes before any other task.
    await new Promise<void>((resolve) =>
      requestAnimationFrame(() => {
        draw(0);
        resolve();
      }),
    );
    await new Promise(requestAnimationFrame);
    draw(1);
    await new Promise(requestAnimationFrame);
  });
  const colors = async (): Promise<string[]> => {
    await mirrored.wait();
    const addresses = mirrored.all('picture').map(({ text, op }) => text(op[2]!));
    const found = await Promise.all(addresses.map((address) => colorOf(mirrored.page, address)));
    return found.map((color) => color.slice(1, 4).join()).sort();
  };
  await expect.poll(colors, PATIENCE).toEqual(['0,255,0', '255,255,0']);
});

it.each(['a press', 'a resource'])(
  '[M-002] a page half sends what is first drawn long after its canvas was added, on %s',
  async (lead) => {
    const mirrored = await browser.open('<!doctype html><body><canvas></canvas></body>');
    await mirrored.wait();
    await mirrored.page.evaluate((isPress) => {
      const { performance: clock } = window;
      const now = clock.now.bind(clock);
      clock.now = () => now() + 20_000;
      const draw = (): void => {
        const gl = document.querySelector('canvas')!.getContext('webgl')!;
        gl.clearColor(1, 0, 1, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
      };
      // Later than the frame after which a canvas without a drawing is checked rarely, and than that of the lead.
      const later = async (): Promise<void> => {
        for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
        draw();
      };
      if (isPress) document.addEventListener('pointerdown', () => void later());
      else new PerformanceObserver(() => void later()).observe({ type: 'resource' });
    }, lead === 'a press');
    await mirrored.wait();
    if (lead === 'a press') await mirrored.page.mouse.click(5, 5);
    else await mirrored.page.evaluate(() => fetch('/model'));
    const colors = async (): Promise<number[]> => {
      await mirrored.wait();
      const { text, op } = mirrored.all('picture').at(-1) ?? {};
      return text && op ? colorOf(mirrored.page, text(op[2]!)) : [];
    };
    await expect.poll(colors, PATIENCE).toEqual([300, 255, 0, 255, 255]);
  },
);

it('[M-002] a page half sends the frame that a video shows', async () => {
  const mirrored = await browser.open('<!doctype html><video muted poster="/p.png"></video><canvas></canvas>');
  await mirrored.wait();
  const shown = (): string[] =>
    mirrored
      .all('picture')
      .map(({ text, op }) => text(op[2]!))
      .filter((address) => address.startsWith('data:image/jpeg'));
  expect(shown()).toEqual([]);
  const startedAt = performance.now();
  await mirrored.page.evaluate(async () => {
    const canvas = document.querySelector('canvas')!;
    const context = canvas.getContext('2d')!;
    setInterval(() => {
      context.fillStyle = `rgb(${Date.now() % 255} 0 0)`;
      context.fillRect(0, 0, 300, 150);
    }, 50);
    const video = document.querySelector('video')!;
    video.srcObject = canvas.captureStream();
    await video.play();
  });
  const count = async (): Promise<number> => (await mirrored.wait(), shown().length);
  await expect.poll(count, PATIENCE).toBeGreaterThan(3);
  expect(shown().length).toBeLessThan(2 + (performance.now() - startedAt) / PAUSE_MS);
  await mirrored.page.evaluate(() => (document.querySelector('video')!.srcObject = null));
  const last = async (): Promise<string | undefined> => {
    await mirrored.wait();
    const addresses = mirrored.all('picture').map(({ text, op }) => text(op[2]!));
    return addresses.findLast((address) => !address.startsWith('data:image/png'));
  };
  await expect.poll(last, PATIENCE).toBe('http://page.test/p.png');
});

it('[M-002] a page half sends the frame of a paused video once it has been decoded', async () => {
  const mirrored = await browser.open('<!doctype html><video muted></video><canvas></canvas>');
  await mirrored.page.evaluate(async () => {
    const canvas = document.querySelector('canvas')!;
    canvas.getContext('2d')!.fillRect(0, 0, 300, 150);
    const video = document.querySelector('video')!;
    for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
      const { drawImage } = prototype;
      prototype.drawImage = function (image: CanvasImageSource, ...place: never[]) {
        if (image !== video || document.body.hasAttribute('data-decoded'))
          (drawImage as (...given: unknown[]) => void).call(this, image, ...place);
        else document.body.dataset['tries'] = `${Number(document.body.dataset['tries'] ?? 0) + 1}`;
      };
    }
    video.srcObject = canvas.captureStream();
    await video.play();
    video.pause();
  });
  const frames = (): string[] =>
    mirrored
      .all('picture')
      .filter(({ op }) => op[1] === video)
      .map(({ text, op }) => text(op[2]!));
  const video = await mirrored.id('video');
  const tries = async (): Promise<number> => {
    await mirrored.wait();
    return mirrored.page.evaluate(() => Number(document.body.dataset['tries'] ?? 0));
  };
  await expect.poll(tries, PATIENCE).toBeGreaterThan(1);
  expect(frames()).toEqual([]);
  await mirrored.page.evaluate(() => document.body.setAttribute('data-decoded', ''));
  const kinds = async (): Promise<string[]> => {
    await mirrored.wait();
    return frames().map((address) => address.slice(0, 14));
  };
  await expect.poll(kinds, PATIENCE).toEqual(['data:image/png']);
});

it('a page half reports pictures of objects and embeds, and images that show nothing', async () => {
  const mirrored = await browser.open(
    `<!doctype html><meta http-equiv="content-security-policy" content="img-src data:;media-src none">
    <object id=object data="${PNG}"></object><object data="/404.png">x</object><embed id=embed src="${PNG}">
    <object data="data:text/html,x"></object><img id=broken src="data:image/png,x"><img src="${PNG}">`,
  );
  const shown = async (): Promise<[number | undefined, string][]> => {
    await mirrored.wait();
    return mirrored.all('picture').map(({ op, text }) => [op[1], text(op[2]!)]);
  };
  const all: [number, string][] = [
    [await mirrored.id('#object'), PNG],
    [await mirrored.id('#embed'), PNG],
    [await mirrored.id('#broken'), 'about:invalid'],
  ];
  await expect.poll(shown, PATIENCE).toEqual(expect.arrayContaining(all));
  expect(await shown()).toHaveLength(3);
  await mirrored.change(() => {
    document.querySelector<HTMLObjectElement>('#object')!.data = '/404.png';
  });
  await expect.poll(async () => (await shown()).at(-1), PATIENCE).toEqual([all[0]![0], '']);
});

it('a page half that was held reports the result of a src that was set meanwhile', async () => {
  const mirrored = await browser.open(`<!doctype html><embed id=embed><img id=broken src="${PNG}">`);
  await mirrored.wait();
  await mirrored.send('mirror.hold', { held: true });
  await mirrored.page.evaluate(async (address) => {
    const [embed, image] = [document.querySelector('embed')!, document.querySelector('img')!];
    const settled = [embed, image].map(
      (each) => new Promise((done) => ['load', 'error'].map((type) => each.addEventListener(type, done))),
    );
    embed.src = address;
    image.src = '/404.png';
    await Promise.all(settled);
  }, PNG);
  await mirrored.send('mirror.hold', { held: false });
  const shown = async (): Promise<[number | undefined, string][]> => {
    await mirrored.wait();
    return mirrored.all('picture').map(({ op, text }) => [op[1], text(op[2]!)]);
  };
  const all: [number, string][] = [
    [await mirrored.id('#embed'), PNG],
    [await mirrored.id('#broken'), 'about:invalid'],
  ];
  await expect.poll(shown, PATIENCE).toEqual(expect.arrayContaining(all));
});

it('a page half reports the candidate that an image shows, if it is not its src', async () => {
  const [a, b] = [PNG, `${PNG}#b`];
  const mirrored = await browser.open(
    `<!doctype html><img id=a src="${a}"><picture><source srcset="${b}"><img id=b src="${a}"></picture>`,
  );
  const pictures = async (): Promise<unknown[]> => {
    await mirrored.wait();
    return mirrored.all('picture').map(({ op, text }) => [op[1], text(op[2]!)]);
  };
  await expect.poll(pictures, PATIENCE).toEqual([[await mirrored.id('#b'), b]]);
});

it('a page half reports the density that gives an image of a srcset its size', async () => {
  const file = (width: number): string =>
    `data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='${width}'%20height='20'/%3E`;
  const mirrored = await browser.open(
    `<!doctype html><img id=double srcset="${file(40)} 2x"><picture><source srcset="${file(99)} 1.5x"><img id=source></picture>
    <img id=sized srcset="${file(60)} 60w" sizes="37px"><img id=odd srcset="${file(70)} 70w" sizes="33.3px">
    <img id=plain srcset="${file(50)} 1x" src="${PNG}"><img id=own src="${PNG}">`,
  );
  const shown = async (): Promise<Record<string, string | undefined>> => {
    await mirrored.wait();
    const last = new Map(mirrored.all('picture').map(({ op, text }) => [op[1], text(op[2]!)]));
    const names = ['double', 'source', 'sized', 'odd', 'plain', 'own'];
    const entries = names.map(async (name): Promise<[string, string | undefined]> => [
      name,
      last.get(await mirrored.id(`#${name}`)),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const all = {
    double: `${file(40)} 2x`,
    source: `${file(99)} 1.5x`,
    sized: `${file(60)} ${Number((60 / 37).toFixed(6))}x`,
    odd: expect.stringMatching(/ 2\.10\d*x$/),
    plain: file(50),
    own: undefined,
  };
  await expect.poll(shown, PATIENCE).toEqual(all);
  await mirrored.page.evaluate(() => (document.querySelector<HTMLImageElement>('#sized')!.sizes = '30px'));
  await expect.poll(shown, PATIENCE).toEqual({ ...all, sized: `${file(60)} 2x` });
});

it('[M-002] a page half reports the position and the visible part of a tainted canvas', async () => {
  const mirrored = await browser.open(
    `<!doctype html><style>.alone canvas{position:absolute;top:200px}</style><body style="margin:0"><div class=alone>
    <canvas style="scale:-1 1"></canvas><canvas style="opacity:.5"></canvas><canvas style="mix-blend-mode:multiply"></canvas>
    <div style="filter:grayscale(1)"><canvas></canvas></div></div><div style="width:80px;height:40px;overflow:hidden">
    <canvas id=c width=90 height=30 style="border:1px solid;padding:2px 4px"></canvas></div><canvas id=turned style="rotate:9deg"></canvas>`,
  );
  await mirrored.page.route('http://other.test/*', (route) =>
    route.fulfill({ contentType: 'image/png', body: Buffer.from(PNG.slice(PNG.indexOf(',') + 1), 'base64') }),
  );
  await mirrored.page.evaluate(async () => {
    const image = new Image();
    image.src = 'http://other.test/';
    await image.decode();
    const { observe } = IntersectionObserver.prototype;
    IntersectionObserver.prototype.observe = function (element) {
      element.setAttribute('data-observed', '');
      observe.call(this, element);
    };
    for (const canvas of document.querySelectorAll('canvas')) canvas.getContext('2d')!.drawImage(image, 0, 0, 30, 30);
  });
  // A question without an answer is asked again.
  const asked = async (): Promise<unknown[]> => {
    await mirrored.wait();
    const all = mirrored.messages.filter(([name]) => name === 'mirror.show-tainted');
    return [...new Set(all.map(([, canvas]) => JSON.stringify(canvas)))].map((canvas) => JSON.parse(canvas) as unknown);
  };
  const { epoch } = mirrored.batches[0]!;
  const [box, seen] = [
    [5, 3, 90, 30],
    [0, 0, 80, 36],
  ];
  await expect.poll(asked, PATIENCE).toEqual([[epoch, await mirrored.id('#c'), 90, 30, ...box, ...seen]]);
  const others = (): Promise<number> =>
    mirrored.page.evaluate(() => document.querySelectorAll('canvas:not([data-observed])').length);
  await expect.poll(others, PATIENCE).toBe(0); // the others have been checked, too
  expect((await asked()).length).toBe(1);
});

it('a page half reports the picture of a lazy image once it has been loaded, and again when its src is set again', async () => {
  const mirrored = await browser.open(
    `<!doctype html><img id=near loading=lazy src="/near.png"><img id=inline loading=lazy src="${PNG}">
    <div style="height:20000px"></div><img id=far loading=lazy src="/far.png">`,
  );
  await mirrored.wait();
  const [near, far] = [await mirrored.id('#near'), await mirrored.id('#far')];
  const said = async (): Promise<(number | undefined)[]> => {
    await mirrored.wait();
    return mirrored.all('picture').map(({ op }) => op[1]);
  };
  await expect.poll(said, PATIENCE).toEqual([near]);
  await mirrored.page.evaluate(() => scrollTo(0, 20_000));
  await expect.poll(said, PATIENCE).toEqual([near, far]);
  await mirrored.change(() => document.querySelector('#near')!.setAttribute('src', '/near.png'));
  await mirrored.page.evaluate(() => scrollTo(0, 0));
  await expect.poll(said, PATIENCE).toEqual([near, far, near]);
});
