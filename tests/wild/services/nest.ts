import 'reflect-metadata';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseUUIDPipe,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsEmail, IsNotEmpty, IsString } from 'class-validator';

const { PORT, API_KEY, MISTAKE } = process.env;

class CreateUserDto {
  @IsEmail()
  email!: string;

  @IsString()
  @IsNotEmpty()
  name!: string;
}

type User = { id: string; email: string; name: string };

@Injectable()
class AuthGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    const [type, token] = request.headers.authorization?.split(' ') ?? [];
    if (type !== 'Bearer' || token !== API_KEY) throw new UnauthorizedException();
    return true;
  }
}

@Injectable()
class UsersService {
  readonly users: User[] = [];

  create({ email, name }: CreateUserDto): User {
    const user = { id: crypto.randomUUID() as string, email, name };
    this.users.push(user);
    return user;
  }
}

@Controller('users')
@UseGuards(...(MISTAKE === 'UseGuards forgotten' ? [] : [AuthGuard]))
class UsersController {
  constructor(private readonly service: UsersService) {}

  @Get()
  list() {
    const { users } = this.service;
    return MISTAKE === 'data and meta'
      ? { data: users, meta: { total: users.length } }
      : { data: users, total: users.length };
  }

  @Post()
  create(@Body() dto: CreateUserDto) {
    return this.service.create(dto);
  }

  @Get(':id')
  one(@Param('id', ParseUUIDPipe) id: string) {
    const user = this.service.users.find((one) => one.id === id);
    if (!user) throw new NotFoundException();
    return user;
  }
}

@Module({ controllers: [UsersController], providers: [UsersService] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false });
app.setGlobalPrefix('v1');
if (MISTAKE !== 'no ValidationPipe') app.useGlobalPipes(new ValidationPipe({ whitelist: true }));
await app.listen(Number(PORT), '127.0.0.1');
