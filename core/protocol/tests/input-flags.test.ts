import { expect, it } from 'vitest';
import { keyboard } from '../../../plugins/keyboard/protocol.ts';
import { mouseFlags } from '../../../plugins/mouse/client/flags.ts';
import { mouse } from '../../../plugins/mouse/protocol.ts';
import { wheel } from '../../../plugins/wheel/protocol.ts';
import { INPUT_FLAGS, INPUT_FLAGS_MASK } from '../input-flags.ts';
import { validate } from '../message.ts';

it('has one bit for each button, modifier key and state of mouse and keyboard input', () => {
  expect(INPUT_FLAGS).toEqual({
    left: 1,
    right: 2,
    middle: 4,
    back: 8,
    forward: 16,
    shift: 32,
    ctrl: 64,
    alt: 128,
    meta: 256,
    scrollbarScrolled: 512,
    setForeground: 1024,
    wheelDefaultPrevented: 2048,
  });
  expect(INPUT_FLAGS_MASK).toBe(Object.values(INPUT_FLAGS).reduce((all, flag) => all | flag, 0));
});

it('takes the bits from the buttons and keys of an event', () => {
  const none = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, buttons: 0 };
  const flagsOf = (event: object): number => mouseFlags({ ...none, ...event } as MouseEvent); // the fields that are read
  for (const [bit, button] of ['left', 'right', 'middle', 'back', 'forward'].entries())
    expect(flagsOf({ buttons: 2 ** bit }), button).toBe(INPUT_FLAGS[button as 'left']);
  for (const key of ['shift', 'ctrl', 'alt', 'meta'] as const)
    expect(flagsOf({ [`${key}Key`]: true }), key).toBe(INPUT_FLAGS[key]);
  expect(flagsOf({ buttons: 3, altKey: true, metaKey: true })).toBe(1 + 2 + 128 + 256);
});

it('accepts no other bits from a client', () => {
  const target = { frame: 1, x: 0, y: 0 };
  const press = {
    ...{ type: 'down', target, screen_x: 0, screen_y: 0, button: 'left', click_count: 1 },
    ...{ movement_x: 0, movement_y: 0 },
  };
  const turn = { target, delta_x: 0, delta_y: 1, wheel_delta_x: 0, wheel_delta_y: -3, handled: false };
  const key = { frame: 1, type: 'down', key: 'a', code: 'KeyA', key_code: 65, location: 0, repeat: false, text: 'a' };
  const cases = [
    [mouse.params, press],
    [wheel.params, turn],
    [keyboard.params, key],
  ] as const;
  for (const [schema, params] of cases) {
    expect(validate<object>(schema, { ...params, modifiers: 4095 }, 'input')).toMatchObject({ modifiers: 4095 });
    for (const modifiers of [4096, -1, 0.5])
      expect(() => validate<object>(schema, { ...params, modifiers }, 'input')).toThrow();
  }
});
