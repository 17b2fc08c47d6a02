import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { MessageDto } from '../../platform/http/page-query.dto.js';
import { Uuid, UuidInPath } from '../../platform/http/wrapped.js';
import { CreateNoteDto, NoteDto, NoteListDto } from './dto/note.dto.js';
import { NotesService } from './notes.service.js';

@Controller('api/v1/forms/:identifier/submissions/:id/notes')
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  /** List the notes on a submission, oldest first. Everybody who sees the submission sees them; its visitor never does. */
  @Get()
  @UuidInPath('id')
  @Requires('submissions:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
  ): Promise<NoteListDto> {
    const notes = await this.notes.list(principal, identifier, id);
    return { notes: notes.map((note) => NoteDto.of(note)) };
  }

  /** Add a note to a submission. */
  @Post()
  @UuidInPath('id')
  @Requires('submissions:write')
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { note }: CreateNoteDto,
  ): Promise<NoteDto> {
    return NoteDto.of(await this.notes.add(principal, identifier, id, note.text));
  }

  /** Remove a note; a client's token can remove only its own. For ten minutes it can be put back. */
  @Delete(':noteId')
  @UuidInPath('id')
  @UuidInPath('noteId')
  @Requires('submissions:write')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('noteId', Uuid) noteId: Buffer | null,
  ): Promise<MessageDto> {
    await this.notes.remove(principal, identifier, id, noteId);
    return { message: 'The note has been removed.' };
  }

  /** Restore a note within ten minutes of its removal; a client's token can restore only its own. */
  @Post(':noteId/restore')
  @UuidInPath('id')
  @UuidInPath('noteId')
  @HttpCode(200)
  @Requires('submissions:write')
  async restore(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Param('id', Uuid) id: Buffer | null,
    @Param('noteId', Uuid) noteId: Buffer | null,
  ): Promise<NoteDto> {
    return NoteDto.of(await this.notes.restore(principal, identifier, id, noteId));
  }
}
