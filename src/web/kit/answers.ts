import { h, type ComponentChildren, type VNode } from 'preact';
import type { Scope } from '../../accounts/access/index.js';
import type { FormShown, HeadedForm } from '../form-head/form-head.js';
import type { Flash, Undo } from '../layout/cookies.js';
import { problemsOf } from '../parts/index.js';
import type { FieldProblem } from '../../platform/index.js';

/** A page to draw, and how to send it. */
interface DrawnPage extends PageOptions {
  /** The form whose head stands above the page. */
  form?: HeadedForm;
  draw: (head: FormShown | null) => ComponentChildren;
}

interface PageOptions {
  /** HTTP status; 200 by default. */
  status?: number;
  /** Whether the page shows a secret: then it is not compressed, as its length would tell of it. */
  isSecret?: boolean;
  /** Whether the frame is that of somebody who has not signed in. */
  isSignedOut?: boolean;
  /** The client whose brand a visitor without a session sees. */
  brandOf?: Scope;
}

/** A document of ours that only a page of this service may frame. */
interface FramedPage {
  framed: VNode;
  status?: number;
}

/** A page of visitors as a frame of ours shows it. */
interface FramedText {
  html: string;
  /** The Content-Security-Policy of the page itself. */
  policy: string;
}

/** Where the browser goes on, what the next page says once, and how to take back what was done. */
interface NextPage {
  to: string;
  flash?: Flash;
  undo?: Undo;
  /** HTTP status; 303 by default. */
  status?: number;
  /** Makes what the script of a page shows in place of going on. */
  instead?: () => Promise<PageAnswer>;
}

/** The answer of a handler: `PageInterceptor` sends it. */
export type PageAnswer = DrawnPage | FramedPage | FramedText | NextPage | typeof NOTHING;

/** Answers that it is done, to the script of a page. */
export const NOTHING = { body: null } as const;

/** Status of a page that is shown again because something typed cannot be taken. */
const UNPROCESSABLE = 422;
const TEMPORARY_REDIRECT = 307;

/** Answers with a page; one with `problems` is shown again because what was typed cannot be taken. */
export function page<Props extends object>(
  component: (props: Props) => VNode,
  props: Props,
  options?: PageOptions,
): PageAnswer {
  return { ...statusOf(props), ...options, draw: () => h(component, props) };
}

/** Answers with a page of a form, whose head it gets as `form`. */
export function formPage<Props extends { form: FormShown | null }>(
  form: HeadedForm,
  component: (props: Props) => VNode,
  props: Omit<Props, 'form'>,
  options?: PageOptions,
): PageAnswer {
  const draw = (head: FormShown | null) => h(component, { ...props, form: head } as Props);
  return { ...statusOf(props), ...options, form, draw };
}

function statusOf(props: { problems?: unknown }): PageOptions {
  const isRefused = Array.isArray(props.problems) && props.problems.length > 0;
  return isRefused ? { status: UNPROCESSABLE } : {};
}

/** Answers with a document for a frame. */
export function framed(document: VNode, status = 200): PageAnswer {
  return { framed: document, status };
}

/**
 * Sends the browser on to a page, which shows a sentence once. With a way to take back what was done, every page shows it
 * until the offer ends.
 * @param to a path of this service, such as `/forms`
 */
export function goTo(to: string, flash?: Flash, undo?: Undo): PageAnswer {
  return { to, flash, undo };
}

/** Does the same; a page whose script has sent the form stays, and shows what `instead` makes. */
export function stayOr(next: NextPage, instead: () => Promise<PageAnswer>): PageAnswer {
  return { ...next, instead };
}

/** Makes the browser send the same form again, to where it was first sent. */
export function sendAgain(to: string): PageAnswer {
  return { to, status: TEMPORARY_REDIRECT };
}

/** Marks a page as one that is shown again because what was typed cannot be taken. */
export function refused(answer: PageAnswer): PageAnswer {
  return 'draw' in answer ? { status: UNPROCESSABLE, ...answer } : answer;
}

/**
 * Does what a form asks for; if fields are at fault, shows its page again.
 * @param again makes the page with what was typed and these problems
 * @throws other errors of `work`
 */
export async function attempt(
  work: () => Promise<PageAnswer>,
  again: (problems: FieldProblem[]) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    return refused(await again(problemsOf(error)));
  }
}
