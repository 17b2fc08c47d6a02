import { DiscoveryService } from '@nestjs/core';

/** Arguments of one run of a task. */
export interface TaskRun {
  now: Date;
  /** Aborts when the process stops; what is left to do is left to the next run. */
  signal?: AbortSignal;
}

/** A method that does work no request waits for, and how often it is started. */
export interface Task {
  name: string;
  everyMs: number;
  run(run: TaskRun): Promise<unknown>;
}

export const TaskTimes = DiscoveryService.createDecorator<Omit<Task, 'run'>>();

/**
 * Has a method of a provider run in the background, again and again, on all instances at once: its work is a series of
 * small transactions, which find nothing left to do when another instance was faster.
 * @param name what the log calls it
 */
export function BackgroundTask(name: string, everyMs: number) {
  return <Run extends Task['run']>(
    target: object,
    key: string,
    method: TypedPropertyDescriptor<Run>,
  ): void => {
    TaskTimes({ name, everyMs })(target, key, method);
  };
}
