import { asked } from '../../platform/http/shapes.js';
import { ArrayUnique, IsArray, IsIn } from 'class-validator';
import { ACTIONS, ROLES, type Action, type Role } from '../../accounts/access/principal.js';
import { Flag, Optional } from '../../platform/kernel/validation.js';

/** Checks for one of the roles. */
export const RoleName = () => IsIn(ROLES, { message: `must be one of ${ROLES.join(', ')}` });

/** Checks for a list of actions on submissions. */
export function ActionNames(): PropertyDecorator {
  const decorators = [
    IsIn(ACTIONS, {
      each: true,
      message: `must contain only these actions: ${ACTIONS.join(', ')}`,
    }),
    ArrayUnique({ message: 'must not contain an action twice' }),
    IsArray({ message: 'must be a list of actions' }),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** Adds `see`, which every other action needs. */
export function withSee(actions: readonly Action[]): Action[] {
  return ACTIONS.filter((action) => action === 'see' || actions.includes(action));
}

/** Changes to a member. Absent fields stay as they are. */
class MemberChangesDto {
  /** `owner`, `editor` or `viewer`. */
  @RoleName()
  @Optional()
  role?: Role;

  /** True keeps the person from acting in this account, at once; false lets them again. */
  @Flag()
  @Optional()
  disabled?: boolean;
}

export class ChangeMemberDto extends asked('person', MemberChangesDto) {}

/** Changes to a person of a client. Absent fields stay as they are. */
class ClientMemberChangesDto {
  /** Permissions of the person: `see` (always), `triage`, `export`, `erase`. They replace the old list. */
  @ActionNames()
  @Optional()
  actions?: Action[];

  /** True keeps the person from acting for this client, at once; false lets them again. */
  @Flag()
  @Optional()
  disabled?: boolean;
}

export class ChangeClientMemberDto extends asked('person', ClientMemberChangesDto) {}
