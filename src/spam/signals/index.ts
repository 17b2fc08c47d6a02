import type { SignalDefaults, SpamSignal } from '../spam-signal.js';
import { honeypot } from './honeypot.js';
import { origin } from './origin.js';

/** The signals that cost no waiting, in the order in which they are shown. */
export const SIGNALS: readonly SpamSignal[] = [honeypot, origin];

/** All signals that a form can switch and weigh: these, and those that wait for something. */
export const SIGNAL_DEFAULTS: readonly SignalDefaults[] = [...SIGNALS];
