import { AppError } from '../../core/protocol/errors.ts';
import { defaultRoom, thisMachine } from '../base/room.ts';
import type { Room } from '../base/room.ts';

const here = defaultRoom(thisMachine(Infinity));
const MIB = 1024 * 1024;
const SECOND = 1000;

/** Options for people's room, in the table of all options. */
export const ROOM_OPTIONS = {
  'max-cells': {
    type: 'string',
    value: 'N',
    text: "cells that may run at once, each with a browser (by the machine's memory and cores: 2 or more)",
  },
  'warm-cells': {
    type: 'string',
    value: 'N',
    text: 'of these, cells kept ready for people to come (one for every four cores, 1 to 8; 0: none)',
  },
  'leave-time': {
    type: 'string',
    value: 'SECONDS',
    text: 'time after which a tab ends that was closed, or led elsewhere; back finds it until then (20; 10 with few cells)',
  },
  'sleep-time': {
    type: 'string',
    value: 'SECONDS',
    text: 'time after which a person who is at none of their tabs has no browser any more (300; 120 with few cells)',
  },
  'idle-time': {
    type: 'string',
    value: 'SECONDS',
    text: 'time after which a tab ends whose browser has fallen silent, and what is kept of people who sleep (1800)',
  },
  'freeze-time': {
    type: 'string',
    value: 'SECONDS',
    text: 'time after which the page of a hidden tab is frozen (300)',
  },
  'make-room-time': {
    type: 'string',
    value: 'SECONDS',
    text: 'time without a person at any tab after which a session may have to make room for another person (120)',
  },
  'memory-reserve': {
    type: 'string',
    value: 'MIB',
    text: "free memory of the machine under which hidden pages are discarded (a sixteenth of the machine's, 128 to 2048)",
  },
} as const;

type RoomOption = keyof typeof ROOM_OPTIONS;

/** Reads the options for room; what is not given is by the machine, and the number of user ids. @throws AppError `bad-option` */
export function readRoom(given: (name: RoomOption) => string | undefined, uids: number): Room {
  const usual = process.getuid?.() === 0 ? defaultRoom(thisMachine(uids)) : here;
  const number = (name: RoomOption, least: number, unit: number): number | undefined => {
    const text = given(name);
    if (text === undefined) return undefined;
    const most = name.endsWith('-cells') ? 9999 : 9_999_999;
    const value = Number(text);
    if (!/^\d{1,7}$/.test(text) || value < least || value > most)
      throw new AppError(
        'bad-option',
        `--${name}: ${JSON.stringify(text)}: a number from ${least} to ${most} is needed`,
      );
    return value * unit;
  };
  const maxCells = number('max-cells', 1, 1) ?? usual.maxCells;
  return {
    maxCells,
    warmCells: number('warm-cells', 0, 1) ?? Math.min(usual.warmCells, maxCells),
    leaveMs: number('leave-time', 1, SECOND) ?? usual.leaveMs,
    sleepMs: number('sleep-time', 1, SECOND) ?? usual.sleepMs,
    idleMs: number('idle-time', 1, SECOND) ?? usual.idleMs,
    freezeMs: number('freeze-time', 1, SECOND) ?? usual.freezeMs,
    goneMs: number('make-room-time', 1, SECOND) ?? usual.goneMs,
    reserveBytes: number('memory-reserve', 0, MIB) ?? usual.reserveBytes,
  };
}
