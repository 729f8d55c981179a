import { DIALOGS_PAGE } from '../e2e/support/dialogs-page.ts';
import type { Site } from '../e2e/support/site.ts';
import type { Engine } from './engine.ts';
import { FRAMES, Person } from './person.ts';

/** A browser, a site and the product's origin. */
export interface Stage {
  readonly engine: Engine;
  readonly site: Site;
  readonly product: string;
}

/** Dialogs that take clicks and keys: none does for a moment after it has appeared. */
const DIALOG = '.vitrine-dialog:not([aria-disabled]):is([role=dialog], :has([role=dialog]))';
const ALERT = '.vitrine-dialog:not([aria-disabled]):is([role=alertdialog], :has([role=alertdialog]))';
const FIRST = '<!doctype html><title>First</title><h1>First page</h1><a id="next" href="/b?x=1#part">Next</a>';
const SECOND = '<!doctype html><title>Second</title><h1>Second page</h1>';

/** Actions of a person in every browser, by title. Each throws on failure. */
export const SMOKE: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'opens what is typed into the portal': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on('/a', FIRST);
    await engine.goto(product);
    await person.type(`127.0.0.1:${site.port}/a`);
    await person.press('Enter');
    await person.sees('page', 'h1', 'First page');
    await isAt(person, `${product}/${site.origin}/a`);
  },

  'follows links; title, address and history follow the page': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on('/a', FIRST);
    site.on('/b', SECOND);
    await engine.goto(`${product}/${site.origin}/a`);
    await person.clickOn('page', '#next');
    await person.sees('page', 'h1', 'Second page');
    await isAt(person, `${product}/${site.origin}/b?x=1#part`);
    await person.until('the title is the page’s', () => document.title === 'Second', undefined);
    await engine.traverse(-1);
    await person.sees('page', 'h1', 'First page');
    await isAt(person, `${product}/${site.origin}/a`);
    await engine.traverse(1);
    await person.sees('page', 'h1', 'Second page');
    await isAt(person, `${product}/${site.origin}/b?x=1#part`);
  },

  'follows the history that the page makes itself': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/app',
      `<!doctype html><output id=at></output><button id=push onclick="history.pushState(1,'','/app/one');show()">push</button>
      <button id=back onclick="history.back()">back</button>
      <script>function show(){at.textContent='at '+location.pathname} onpopstate=show; show()</script>`,
    );
    await engine.goto(`${product}/${site.origin}/app`);
    await person.clickOn('page', '#push');
    await isAt(person, `${product}/${site.origin}/app/one`);
    await engine.traverse(-1);
    await person.sees('page', '#at', 'at /app');
    await engine.traverse(1);
    await person.sees('page', '#at', 'at /app/one');
    await person.clickOn('page', '#back');
    await isAt(person, `${product}/${site.origin}/app`);
  },

  'types into fields, and submits with Enter': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/form',
      `<!doctype html><form action="/found"><input name="q"><textarea></textarea><div contenteditable>x</div><button>Go</button></form>
      <output></output><script>
      document.oninput = () => document.querySelector('output').textContent =
        document.querySelector('input').value + '/' + document.querySelector('textarea').value + '/' + document.querySelector('div').textContent
      </script>`,
    );
    site.on(
      '/found',
      '<!doctype html><p></p><script>document.querySelector("p").textContent = location.search</script>',
    );
    await engine.goto(`${product}/${site.origin}/form`);
    await person.clickOn('page', 'textarea');
    await person.type('One, Two');
    await person.sees('page', 'output', '/One, Two/x');
    await person.clickOn('page', 'div');
    await person.press('End');
    await person.type('yz');
    await person.sees('page', 'output', '/One, Two/xyz');
    await person.clickOn('page', 'input');
    await person.type('too words');
    await person.press(...Array<string>(7).fill('ArrowLeft'), 'Backspace');
    await person.type('w');
    await person.sees('page', 'output', 'two words/One, Two/xyz');
    await person.sees('page', 'input', 'two words');
    await person.press('Enter');
    await person.sees('page', 'p', '?q=two+words');
  },

  'clicks boxes, buttons and labels': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/boxes',
      `<!doctype html><label>Box <input type="checkbox"></label> <input type="radio" name="r"> <button>count</button> <output></output>
      <script>let clicks = 0;
      const show = () => document.querySelector('output').textContent =
        [...document.querySelectorAll('input')].map((input) => input.checked).join() + ',' + clicks;
      document.onchange = show; document.querySelector('button').onclick = (event) => { clicks += event.isTrusted; show(); };
      </script>`,
    );
    await engine.goto(`${product}/${site.origin}/boxes`);
    await person.clickOn('page', 'label');
    await person.sees('page', 'output', 'true,false,0');
    await person.clickOn('page', 'input[type=radio]');
    await person.clickOn('page', 'button');
    await person.clickOn('page', 'button');
    await person.sees('page', 'output', 'true,true,2');
    const shown = await person.checked('page', 'input');
    if (shown.join() !== 'true,true') throw new Error(`the boxes show ${shown.join()}`);
  },

  'scrolls the page by key': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/long',
      `<!doctype html><body style="height:5000px;margin:0"><output style="position:fixed"></output><script>
      onscroll = () => document.querySelector('output').textContent = scrollY > 3000 ? 'at the end' : 'at the top'
      </script>`,
    );
    await engine.goto(`${product}/${site.origin}/long`);
    await person.until(
      'the page is shown',
      (selector) => {
        const frame = document.querySelector<HTMLIFrameElement>(selector);
        return frame?.contentDocument?.querySelector('output') != null;
      },
      FRAMES.page,
    );
    await person.click(600, 400);
    await person.press('End');
    await person.sees('page', 'output', 'at the end');
  },

  'scrolls by wheel what can scroll, and gives the page the rest': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/wheel',
      `<!doctype html><style>body{height:5000px;margin:0}output{position:fixed;top:0}p{height:3000px}
      div{position:absolute;top:100px;left:0;width:400px;height:200px;overflow:auto}</style><output></output><div><p></div><script>
      const inner = document.querySelector('div');
      const show = () => document.querySelector('output').textContent = ` +
        "'inner ' + (inner.scrollTop > 50) + ' page ' + (scrollY > 50)" +
        `;
      onscroll = inner.onscroll = show;
      show();
      </script>`,
    );
    site.on(
      '/map',
      `<!doctype html><main>untouched</main><script>
      document.onwheel = ({ deltaY }) => document.querySelector('main').textContent = deltaY > 0 ? 'down' : 'up';
      </script>`,
    );
    await engine.goto(`${product}/${site.origin}/wheel`);
    await person.sees('page', 'output', 'inner false page false');
    await person.turn(200, 200, 'output', 'inner true page false');
    await person.turn(800, 600, 'output', 'inner true page true');
    await engine.goto(`${product}/${site.origin}/map`);
    await person.sees('page', 'main', 'untouched');
    await person.turn(300, 300, 'main', 'down');
  },

  'shows an image as broken whose new address leads nowhere': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/image',
      `<!doctype html><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt=none><button>change</button>
      <script>onclick = () => (document.querySelector('img').src = 'nothing:')</script>`,
    );
    const shows = (isWanted: boolean): Promise<true> =>
      person.until(
        isWanted ? 'the image is shown' : 'the image is broken',
        ([frame, isWanted]) => {
          const [image] = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument?.images ?? [];
          return image?.complete === true && image.naturalWidth > 0 === isWanted;
        },
        [FRAMES.page, isWanted] as const,
      );
    await engine.goto(`${product}/${site.origin}/image`);
    await shows(true);
    await person.clickOn('page', 'button');
    await shows(false);
  },

  'chooses from a select list by key': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/select',
      `<!doctype html><input><select><option>one<option>two<option>three</select><output></output><script>
      onchange = ({ target }) => document.querySelector('output').textContent = target.value
      </script>`,
    );
    await engine.goto(`${product}/${site.origin}/select`);
    await person.clickOn('page', 'input');
    await person.press('Tab', 't', 'h');
    await person.sees('page', 'output', 'three');
    await person.until(
      'the list shows the third',
      (frame) =>
        document.querySelector<HTMLIFrameElement>(frame)?.contentDocument?.querySelector('select')?.selectedIndex === 2,
      FRAMES.page,
    );
  },

  'tells the page what the browser is like': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/media',
      `<!doctype html><output></output><script>
      const has = (query) => matchMedia(query).matches;
      document.querySelector('output').textContent = [innerWidth, innerHeight, devicePixelRatio, has('(hover: hover)'),
        has('(pointer: fine)'), has('(prefers-color-scheme: dark)'), navigator.languages[0], Intl.DateTimeFormat().resolvedOptions().timeZone].join();
      </script>`,
    );
    const facts = (): string => document.querySelector('output')?.textContent ?? '';
    await engine.goto(`${site.origin}/media`);
    const direct = await engine.evaluate(facts, undefined);
    await engine.goto(`${product}/${site.origin}/media`);
    await person.sees('page', 'output', direct);
  },

  'shows alert, confirm and prompt, and gives the answers to the page': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on('/dialogs', DIALOGS_PAGE);
    await engine.goto(`${product}/${site.origin}/dialogs`);
    await person.clickOn('page', 'button');
    await person.sees('dialogs', ALERT, 'Read <b>this</b>');
    await person.press('Enter');
    await person.sees('dialogs', ALERT, 'Sure?');
    await person.clickOn('dialogs', 'button[type=submit]');
    await person.sees('dialogs', ALERT, 'Really?');
    await person.press('Escape');
    await person.sees('dialogs', `${DIALOG} input`, 'Ada');
    await person.type('Grace');
    await person.press('Enter');
    await person.sees('dialogs', DIALOG, 'Empty?');
    await person.clickOn('dialogs', 'button[type=button]');
    await person.sees('page', 'output', '[true,false,"Grace",null]');
  },

  'copies, cuts and pastes': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/clipboard',
      `<!doctype html><input id=from value=first><input id=to><div contenteditable id=rich><b>rich</b></div><output></output>
      <script>document.onpaste = ({ isTrusted, clipboardData }) => {
        document.querySelector('output').textContent = [isTrusted, clipboardData.getData('text/plain')].join(); }</script>`,
    );
    await engine.goto(`${product}/${site.origin}/clipboard`);
    await person.clickOn('page', '#from');
    await person.shortcut('a', 'x');
    await person.until(
      'the text is cut',
      (frame) =>
        document.querySelector<HTMLIFrameElement>(frame)?.contentDocument?.querySelector('input')?.value === '',
      FRAMES.page,
    );
    await person.clickOn('page', '#to');
    await person.shortcut('v');
    await person.sees('page', '#to', 'first');
    await person.sees('page', 'output', 'true,first');
    await person.clickOn('page', '#rich');
    await person.shortcut('a', 'c');
    await person.clickOn('page', '#from');
    await person.shortcut('v');
    await person.sees('page', '#from', 'rich');
  },

  'asks before unsaved work is left': async ({ engine, site, product }) => {
    const person = new Person(engine);
    site.on(
      '/unsaved',
      '<!doctype html><input><script>onbeforeunload = (event) => event.preventDefault()</script><a href="/b">next</a>',
    );
    site.on('/b', SECOND);
    await engine.goto(`${product}/${site.origin}/unsaved`);
    await person.clickOn('page', 'input');
    await person.type('work');
    await person.clickOn('page', 'a');
    await person.sees('dialogs', ALERT, 'Leave this page?');
    await person.clickOn('dialogs', 'button[type=button]');
    await person.sees('page', 'input', 'work');
    await person.clickOn('page', 'a');
    await person.sees('dialogs', ALERT, 'Leave this page?');
    await person.clickOn('dialogs', 'button[type=submit]');
    await person.sees('page', 'h1', 'Second page');
  },
};

async function isAt(person: Person, address: string): Promise<void> {
  await person.until(`the address is ${address}`, (expected) => location.href === expected, address);
}
